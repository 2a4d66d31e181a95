// Many integrations book one clinician concurrently. BOOKINGS=1000 makes that many bookings, from
// twenty integrations.

import { expect, test } from 'bun:test'
import { grant, issueKey, openIntegration } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { hireClinician } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()
const bookings = Number(process.env['BOOKINGS'] ?? 80)
const integrations = bookings >= 1000 ? 20 : 4

async function openBrand(name: string): Promise<string> {
  const { owner, clinic: organization, context } = fixtures
  return owner.use(async connection => {
    const { integration } = await openIntegration(connection, name)
    await grant(connection, { integration, organization, mode: 'live' })
    await acceptAgreement(connection, integration, '2026-09-01')
    return (await issueKey(connection, context.pepper, { integration, mode: 'live', name })).key
  })
}

test('one clinician is never in two visits, and every start goes to the first to book it', async () => {
  const person = await hireClinician(fixtures)
  const keys: string[] = []
  for (let at = 0; at < integrations; at++) keys.push(await openBrand(`Brand ${at}`))
  const patients: { as: string; patient: string }[] = []
  for (let at = 0; at < bookings; at++) {
    const as = keys[at % integrations] ?? ''
    patients.push({ as, patient: await patientIn(fixtures, 'CA', as) })
  }
  const query = { state: 'CA', limit: '100' }
  const { data } = await invokeOk(fixtures, 'listSlots', { as: keys[0] ?? '', query })
  const starts: string[] = data.map((slot: { starts_at: string }) => slot.starts_at)
  const wanted = starts.slice(0, Math.ceil(bookings / 4))
  const results = await Promise.all(
    patients.map(({ as, patient }, at) =>
      invoke(fixtures, 'bookVisit', {
        as,
        body: { patient, starts_at: wanted[at % wanted.length] },
      }),
    ),
  )
  const codes = Map.groupBy(results, ({ code }) => code ?? 'booked')
  expect([...codes.keys()].toSorted()).toEqual(['booked', 'slot_unavailable'])
  expect(codes.get('booked')).toHaveLength(wanted.length)
  const rows = await queryAsOwner<{ visits: number; overlapping: number }>(
    fixtures,
    sql`select count(*)::int as visits, (
          select count(*) from live.visits a join live.visits b
              on a.id < b.id and a.clinician = b.clinician
             and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at))::int as overlapping
          from live.visits where clinician = ${person}`,
  )
  expect(rows[0]).toEqual({ visits: wanted.length, overlapping: 0 })
}, 300_000)
