// How tests come by an export: of a patient who has everything that a bundle holds.

import { filedCase, must } from './call.ts'
import type { Cast } from './fixtures.ts'
import { attached } from './files.ts'
import { completeExports } from '../exports/complete.ts'

/** An export job of a new patient with a case and a file. */
export async function exported(cast: Cast, as: string = cast.ada.test) {
  const { id: theCase, patient } = await filedCase(cast, as)
  await attached(cast, { as, case: theCase })
  const { id } = await must(cast, 'createExport', { as, id: patient })
  return { id: id as string, patient }
}

/** Has the worker complete what is pending. */
export async function completed(cast: Cast): Promise<number> {
  const { hands } = cast
  const { files, base } = cast.house
  return completeExports(hands, { files, base })
}
