// Exports for tests, with a patient who has everything a bundle holds.

import { queuedCase, invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { attachFile } from './files.ts'
import { completeExports } from '../exports/complete.ts'

/** Requests an export for a new patient with a case and a file. */
export async function requestExport(fixtures: Fixtures, as: string = fixtures.ada.test) {
  const { id: theCase, patient } = await queuedCase(fixtures, as)
  await attachFile(fixtures, { as, case: theCase })
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  return { id: id as string, patient }
}

/** Completes pending exports, as the worker does. */
export async function completePending(fixtures: Fixtures): Promise<number> {
  const { workerContext } = fixtures
  const { files, base } = fixtures.context
  return completeExports(workerContext, { files, base })
}
