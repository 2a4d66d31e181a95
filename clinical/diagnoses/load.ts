// ICD-10-CM code lists, loaded by the operator as the database's owner.
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Diagnosis } from './read-file.ts'

export async function loadCodes(
  connection: Connection,
  year: number,
  codes: readonly Diagnosis[],
): Promise<void> {
  await connection.run(sql`
    select records.load_diagnosis_codes(${year}::int, ${codes.map(one => one.code)}::text[],
                                        ${codes.map(one => one.title)}::text[])`)
  await connection.run(sql`analyze records.diagnosis_codes`)
}

type LoadedYear = Row & { year: number; codes: number }

/** Returns the loaded years, newest first. */
export const loadedYears = (connection: Connection): Promise<LoadedYear[]> =>
  connection.run<LoadedYear>(sql`
    select year, count(*)::int as codes from records.diagnosis_codes group by 1 order by 1 desc`)
