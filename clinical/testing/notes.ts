// Creates a signed note on one of the clinic's cases, by a former staff member without other
// drafts.
import { newId } from '#auth/ids.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from './assertions.ts'
import type { Fixtures } from './fixtures.ts'

type NotedCase = { readonly id: string; readonly patient: string }

/** Returns the note's ID. */
export async function signedNote(fixtures: Fixtures, { id, patient }: NotedCase): Promise<string> {
  const note = newId('note')
  await queryAsOwner(
    fixtures,
    sql`insert into records.notes (tenant, id, patient, "case", person, person_name, body,
                                   created_at, updated_at, signed_at)
        select tenant, ${note}, ${patient}, id, 'per_left', 'Dr. Left', ${`Note of ${id}.`}, now(),
               now(), now() from live.cases where id = ${id}`,
  )
  return note
}
