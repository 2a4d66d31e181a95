// Setup for tests of administrators' changes: a clinic with staff, and their acts.

import type { StaffRole } from '#contract/console/row.ts'
import type { Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { ActOfClinic } from '../clinics/staff.ts'
import { newId } from '../ids.ts'
import type { TestPeople, TestPerson } from './people.ts'

let made = 0

export async function openClinic(people: TestPeople): Promise<string> {
  const id = newId('organization')
  await people.run(sql`
    with made as (insert into auth.organizations (id, name, slug)
                  values (${id}, 'River Clinic', ${`river-${++made}`}) returning id)
    insert into auth.clinic_settings (organization, incident_email, revision)
    select id, ${`incidents@${made}.example.com`}, 0 from made`)
  return id
}

export async function hire(
  people: TestPeople,
  organization: string,
  roles: readonly StaffRole[],
): Promise<TestPerson> {
  const person = await people.addPerson(false)
  await people.run(sql`
    insert into auth.staff (organization, person, name, roles)
    values (${organization}, ${person.id}, 'Ada', ${roles}::text[])`)
  return person
}

/** A null `by` means the operator. */
export const actFor = (organization: string, by: TestPerson | null): ActOfClinic => ({
  surface: 'console',
  request: `req_${++made}`,
  organization,
  ...(by === null ? {} : { person: by.id }),
})

export async function auditOf(people: TestPeople, { request }: ActOfClinic) {
  const rows = await people.run<Row & Record<string, unknown>>(sql`
    select surface, action, mode, organization, person, target, outcome, code from audit.entries
     where request = ${request}`)
  return [...rows]
}
