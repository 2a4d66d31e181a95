// How tests come by an export: of a patient who has everything that a bundle holds.

import { queuedCase, must } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { attached } from './files.ts'
import { completeExports } from '../exports/complete.ts'

/** An export job of a new patient with a case and a file. */
export async function exported(fixtures: Fixtures, as: string = fixtures.ada.test) {
  const { id: theCase, patient } = await queuedCase(fixtures, as)
  await attached(fixtures, { as, case: theCase })
  const { id } = await must(fixtures, 'createExport', { as, id: patient })
  return { id: id as string, patient }
}

/** Has the worker complete what is pending. */
export async function completed(fixtures: Fixtures): Promise<number> {
  const { workerContext } = fixtures
  const { files, base } = fixtures.context
  return completeExports(workerContext, { files, base })
}
