// Tests who is emailed when a prescription isn't sent, and how often.
import { beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { usePharmacyClinic } from './testing/clinic.ts'

const fixtures = useFixtures()
const clinic = usePharmacyClinic(fixtures)
beforeEach(async () => {
  await queryAsOwner(fixtures, sql`delete from site.emails`)
  await anHourLater()
})

const refuse = () => Response.json({ detail: 'Ada Rivera is unknown' }, { status: 422 })

/** Approves cases whose prescriptions the pharmacy refuses, all at once. */
async function stop(count = 1) {
  for (let at = 0; at < count; at++) {
    await clinic.approve()
    clinic.double.answers.push(refuse)
  }
  expect(await clinic.transmit()).toEqual({ stopped: count })
}

type Facts = { email: string; pharmacy: string; organization_id: string; role: string }

const sent = async () => {
  const emails = await queryAsOwner<{ facts: Facts }>(
    fixtures,
    sql`select facts from site.emails where kind = 'prescription_not_sent'`,
  )
  return emails.map(({ facts }) => facts)
}

const anHourLater = () =>
  queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status_at = status_at - interval '61 minutes'`,
  )

test('a stopped prescription is emailed to staff with the pharmacy role, without its patient', async () => {
  await clinic.staff.hire(['admin'])
  await clinic.staff.hire(['nurse'])
  await stop()
  const emails = await sent()
  expect(emails).toHaveLength(1)
  expect(emails[0]).toMatchObject({ role: 'pharmacy', organization_id: fixtures.clinic })
  expect(JSON.stringify(emails)).not.toMatch(/Rivera|unknown|semaglutide/i)
})

test('an accepted prescription, or one that is tried again, sends no email', async () => {
  await clinic.approve()
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  await clinic.approve()
  clinic.double.answers.push(() => new Response('', { status: 503 }))
  expect(await clinic.transmit()).toEqual({ retry: 1 })
  expect(await sent()).toEqual([])
})

test('a clinic gets at most one email an hour, also if many prescriptions stop at once', async () => {
  await stop(8)
  await stop()
  expect(await sent()).toHaveLength(1)
  await anHourLater()
  await stop()
  expect(await sent()).toHaveLength(2)
})

test('prescriptions whose worker died at each attempt cause one email, too', async () => {
  for (let at = 0; at < 3; at++) await clinic.approve()
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set attempts = 8 where status = 'due'`,
  )
  expect(await clinic.transmit()).toEqual({ stopped: 3 })
  expect(await sent()).toHaveLength(1)
})

test('without anyone in the pharmacy role, the administrators get the email', async () => {
  const { person } = await clinic.staff.hire(['admin'])
  await queryAsOwner(
    fixtures,
    sql`update auth.staff set roles = array_remove(roles, 'pharmacy') where 'pharmacy' = any (roles)`,
  )
  await stop()
  const emails = await sent()
  expect(emails.every(({ role }) => role === 'admin')).toBe(true)
  const [own] = await queryAsOwner<{ email: string }>(
    fixtures,
    sql`select email from auth.persons where id = ${person}`,
  )
  expect(emails.map(({ email }) => email)).toContain(own?.email ?? '')
})
