// Today's ICD-10-CM code list, as an operator loads it.
import { now } from '#database/clock.ts'
import { fiscalYearOf } from '../code-list.ts'
import { loadCodes } from '../load.ts'
import type { Diagnosis } from '../read-file.ts'
import type { Fixtures } from '../../testing/fixtures.ts'

/** Loads the codes for the current fiscal year, and returns the year. */
export async function loadedCodes(
  { owner }: Fixtures,
  codes: readonly Diagnosis[],
): Promise<number> {
  const year = fiscalYearOf(now())
  await owner.use(connection => loadCodes(connection, year, codes))
  return year
}
