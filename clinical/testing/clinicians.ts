// Live clinicians for tests: licensed staff members with weekly hours.

import { newId } from '#auth/ids.ts'
import { states as allStates } from '#contract/api/address.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from './assertions.ts'
import { invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'

type ClinicianOptions = {
  organization?: string
  /** The licensed states; defaults to all. */
  states?: readonly string[]
  /** Local times on every day, such as 09:00. */
  from?: string
  to?: string
  zone?: string
  /** Sunday is 0; defaults to every day. */
  weekdays?: readonly number[]
}

let hired = 0

/** Hires a clinician, and returns the person's ID. */
export async function hireClinician(
  fixtures: Fixtures,
  options: ClinicianOptions = {},
): Promise<string> {
  const {
    organization = fixtures.clinic,
    states = allStates,
    weekdays = [0, 1, 2, 3, 4, 5, 6],
  } = options
  const { from = '00:00', to = '23:30', zone = 'America/Los_Angeles' } = options
  const person = newId('person')
  hired++
  await queryAsOwner(
    fixtures,
    sql`with person as (
          insert into auth.persons (id, email, name)
          values (${person}, ${`clinician${hired}@example.com`}, 'A clinician'))
        insert into auth.staff (organization, person, name, roles)
        values (${organization}, ${person}, ${`Dr. ${hired}`}, '{clinician}')`,
  )
  await queryAsOwner(
    fixtures,
    sql`insert into auth.licenses (organization, person, state, number, expires_on)
        select ${organization}, ${person}, s, '1', current_date + 3650 from unnest(${states}::text[]) s`,
  )
  await queryAsOwner(
    fixtures,
    sql`insert into auth.working_hours
          (id, organization, person, weekday, starts_at, ends_at, time_zone, valid_from)
        select ${person} || d, ${organization}, ${person}, d::int, ${from}::time, ${to}::time, ${zone},
               '2020-01-01'
          from unnest(${weekdays.map(String)}::text[]) d`,
  )
  return person
}

type LiveVisit = { as: string; patient: string; state: string; organization?: string }

/** Hires a clinician, and books the first free time. Live mode accepts no visit that starts within
 *  an hour, so this skips times that could be too soon by the time it books. */
export async function bookedLiveVisit(
  fixtures: Fixtures,
  { patient, state, ...call }: LiveVisit,
): Promise<{ id: string; starts_at: string; free: string }> {
  const { organization } = call
  await hireClinician(fixtures, {
    states: [state],
    ...(organization === undefined ? {} : { organization }),
  })
  const from = new Date(fixtures.context.now() + 4_200_000).toISOString()
  const query = { state, from, limit: '100' }
  const { data } = await invokeOk(fixtures, 'listSlots', { ...call, query })
  const [starts_at, free]: string[] = data.map((slot: { starts_at: string }) => slot.starts_at)
  const { id } = await invokeOk(fixtures, 'bookVisit', { ...call, body: { patient, starts_at } })
  return { id, starts_at: starts_at ?? '', free: free ?? '' }
}
