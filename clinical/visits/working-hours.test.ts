// Clinicians' hours in live mode: which times are free, and who is booked.

import { beforeAll, describe, expect, test } from 'bun:test'
import { openOrganization } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { localDay } from '#http/html/zone.tsx'
import { queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { hireClinician } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { patientIn } from '../testing/visits.ts'
import { momentsOf } from './time-zones.ts'

const fixtures = useFixtures()
const day = 86_400_000

/** Returns a clinic's free times, from the database function that every response is based on. */
async function timesOf(organization: string, state: string, from: string, to: string) {
  const rows = await queryAsOwner<{ at: string }>(
    fixtures,
    sql`select iso(starts_at) as at from live.clinician_times(
          ${organization}, ${state}, ${from}::timestamptz, ${to}::timestamptz, interval '30 minutes')
         order by 1`,
  )
  return rows.map(({ at }) => at)
}

const openClinic = (name: string) =>
  fixtures.owner.use(connection => openOrganization(connection, name, name))

describe('free times', () => {
  const changes = ['2027-03-14', '2027-11-07']
  test.each([
    ['America/New_York', 'NY'],
    ['America/Chicago', 'IL'],
    ['America/Anchorage', 'AK'],
    ['America/Phoenix', 'AZ'],
    ['Pacific/Honolulu', 'HI'],
  ])('%s: a skipped hour has no times, and a repeated hour has them once', async (zone, state) => {
    const organization = await openClinic(`clinic-${state.toLowerCase()}`)
    await hireClinician(fixtures, {
      organization,
      states: [state],
      zone,
      from: '00:30',
      to: '04:00',
    })
    for (const change of changes) {
      const noon = Date.parse(`${change}T12:00:00Z`)
      const found = await timesOf(
        organization,
        state,
        new Date(noon - 2 * day).toISOString(),
        new Date(noon + 2 * day).toISOString(),
      )
      const [year = 0, month = 0, date = 0] = change.split('-').map(Number)
      const minutes = [30, 60, 90, 120, 150, 180, 210]
      const expected = [-3, -2, -1, 0, 1, 2, 3]
        .flatMap(step => momentsOf(zone, [year, month, date + step], minutes))
        .filter(at => at >= noon - 2 * day && at < noon + 2 * day)
        .map(at => new Date(at).toISOString())
      expect(expected.length).toBeGreaterThan(20)
      expect(found).toEqual(expected)
    }
  })

  test('belong only to clinicians whose license in the state is valid on that day', async () => {
    const organization = await openClinic('licenses')
    const person = await hireClinician(fixtures, {
      organization,
      states: ['CA', 'NV'],
      zone: 'UTC',
    })
    const next = Array.from({ length: 4 }, (_, at) =>
      new Date(Date.now() + (at + 1) * day).toISOString().slice(0, 10),
    )
    const [first = '', second = '', , last = ''] = next
    const count = async (state = 'CA') =>
      (await timesOf(organization, state, `${first}T00:00:00Z`, `${last}T00:00:00Z`)).length
    expect([await count(), await count('NV'), await count('TX')]).toEqual([141, 141, 0])
    const set = (statement: ReturnType<typeof sql>) => queryAsOwner(fixtures, statement)
    await set(
      sql`update auth.licenses set expires_on = ${second}::date where person = ${person} and state = 'CA'`,
    )
    expect([await count(), await count('NV')]).toEqual([94, 141])
    await set(sql`update auth.persons set disabled_at = now() where id = ${person}`)
    expect(await count('NV')).toBe(0)
    await set(sql`update auth.persons set disabled_at = null where id = ${person}`)
    await set(sql`update auth.staff set roles = '{nurse}' where person = ${person}`)
    expect(await count('NV')).toBe(0)
    await set(
      sql`update auth.staff set roles = '{clinician}', removed_at = now() where person = ${person}`,
    )
    expect(await count('NV')).toBe(0)
  })

  // At any time, the day in at least one of these zones isn't the day in UTC.
  test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
    'include a license’s last day in the clinic’s zone, %s',
    async zone => {
      const organization = await openClinic(
        `last-day-${zone.toLowerCase().replaceAll(/[^a-z]/g, '-')}`,
      )
      const hours = { from: '09:00', to: '11:00' }
      const person = await hireClinician(fixtures, { organization, states: ['CA'], zone, ...hours })
      await queryAsOwner(
        fixtures,
        sql`insert into auth.clinic_settings (organization, time_zone)
            values (${organization}, ${zone})`,
      )
      const today = localDay(Date.now(), zone)
      const at = (time: string) =>
        today.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().toString()
      await queryAsOwner(
        fixtures,
        sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
            values (${`extra ${zone}`}, ${organization}, ${person}, 'extra',
                    ${at('22:00')}::timestamptz, ${at('23:00')}::timestamptz)`,
      )
      const timesUntil = async (day: Temporal.PlainDate) => {
        await queryAsOwner(
          fixtures,
          sql`update auth.licenses set expires_on = ${day.toString()}::date
               where person = ${person}`,
        )
        return timesOf(organization, 'CA', at('00:00'), at('23:59'))
      }
      const local = ['09:00', '09:30', '10:00', '10:30', '22:00', '22:30']
      expect(await timesUntil(today)).toEqual(local.map(time => new Date(at(time)).toISOString()))
      expect(await timesUntil(today.subtract({ days: 1 }))).toEqual([])
    },
  )

  test('leave out time off and include extra hours', async () => {
    const organization = await openClinic('exceptions')
    const person = await hireClinician(fixtures, {
      organization,
      zone: 'UTC',
      from: '09:00',
      to: '11:00',
    })
    for (const [kind, from, to] of [
      ['off', '2027-06-01T09:15:00Z', '2027-06-01T09:45:00Z'],
      ['extra', '2027-06-01T20:00:00Z', '2027-06-01T21:15:00Z'],
      ['off', '2027-06-01T20:30:00Z', '2027-06-01T21:00:00Z'],
    ] as const) {
      await queryAsOwner(
        fixtures,
        sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
            values (${`${kind} ${from}`}, ${organization}, ${person}, ${kind}, ${from}::timestamptz, ${to}::timestamptz)`,
      )
    }
    const found = await timesOf(organization, 'CA', '2027-06-01T00:00:00Z', '2027-06-02T00:00:00Z')
    expect(found.map(at => at.slice(11, 16))).toEqual(['10:00', '10:30', '20:00'])
  })
})

describe('a booking', () => {
  const people: string[] = []
  const patients: string[] = []
  beforeAll(async () => {
    for (let at = 0; at < 3; at++)
      people.push(await hireClinician(fixtures, { states: ['CA', 'NV'] }))
    for (let at = 0; at < 6; at++) {
      const as = at % 2 === 0 ? fixtures.ada.live : fixtures.ben.live
      patients.push(await patientIn(fixtures, 'CA', as))
    }
  })
  const callerOf = (at: number) => ({ as: at % 2 === 0 ? fixtures.ada.live : fixtures.ben.live })
  const slots = async (query: Record<string, string> = {}): Promise<string[]> => {
    const { data } = await invokeOk(fixtures, 'listSlots', {
      ...callerOf(0),
      query: { state: 'CA', limit: '100', ...query },
    })
    return data.map((slot: { starts_at: string }) => slot.starts_at)
  }
  const book = (at: number, starts_at: string) =>
    invoke(fixtures, 'bookVisit', { ...callerOf(at), body: { patient: patients[at], starts_at } })
  const clinicianOf = async (visit: string) => {
    const [row] = await queryAsOwner<{ clinician: string; name: string }>(
      fixtures,
      sql`select clinician, clinician_name as name from live.visits where id = ${visit}`,
    )
    return row?.clinician ?? ''
  }

  test('is offered from an hour ahead, in the sandbox’s form and order', async () => {
    const [first = ''] = await slots()
    expect(Date.parse(first)).toBeGreaterThanOrEqual(fixtures.context.now() + 3_600_000 - 1000)
    const { data } = await invokeOk(fixtures, 'listSlots', {
      ...callerOf(0),
      query: { state: 'CA', limit: '3' },
    })
    const [one, two] = data
    expect(one).toEqual({
      id: expect.stringMatching(/^slot_[0-9a-z]{26}$/),
      state: 'CA',
      time_zone: 'America/Los_Angeles',
      starts_at: first,
      ends_at: new Date(Date.parse(first) + 1_800_000).toISOString(),
    })
    const { data: after } = await invokeOk(fixtures, 'listSlots', {
      ...callerOf(0),
      query: { state: 'CA', limit: '1', starting_after: one.id },
    })
    expect(after).toEqual([two])
    const soon = new Date(Date.parse(first) - 1_800_000).toISOString()
    await expectRefused(fixtures, 'bookVisit', 'slot_unavailable', {
      ...callerOf(0),
      body: { patient: patients[0], starts_at: soon },
    })
  })

  test('takes one clinician: a start fits as many as are free, whichever integration books', async () => {
    const starts_at = (await slots())[5] ?? ''
    const results = await Promise.all(patients.map((_, at) => book(at, starts_at)))
    const booked = results.filter(({ status }) => status === 201)
    expect(results.map(({ code }) => code ?? 'booked').toSorted()).toEqual([
      ...Array(3).fill('booked'),
      ...Array(3).fill('slot_unavailable'),
    ])
    const who = await Promise.all(booked.map(({ body }) => clinicianOf(body.id)))
    expect(who.toSorted()).toEqual(people.toSorted())
    for (const { body } of booked) expect(body.clinician_name).toStartWith('Dr. ')
    expect(await slots()).not.toContain(starts_at)
    expect(await slots({ state: 'NV' })).not.toContain(starts_at)
  })

  test('goes to the clinician with the fewest visits that day', async () => {
    const starts = (await slots()).slice(10, 13)
    const visits = []
    for (const [at, starts_at] of starts.entries()) visits.push((await book(at, starts_at)).body.id)
    const who = await Promise.all(visits.map(clinicianOf))
    expect(new Set(who).size).toBe(3)
  })

  test('keeps its clinician when moved if they’re free; otherwise another sees the patient', async () => {
    const [from = '', free = '', taken = ''] = (await slots()).slice(20, 23)
    const { body } = await book(0, from)
    const first = await clinicianOf(body.id)
    const move = (starts_at: string) =>
      invokeOk(fixtures, 'rescheduleVisit', { ...callerOf(0), id: body.id, body: { starts_at } })
    await move(free)
    expect(await clinicianOf(body.id)).toBe(first)
    await queryAsOwner(
      fixtures,
      sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
          values ('away', ${fixtures.clinic}, ${first}, 'off', ${taken}::timestamptz, ${taken}::timestamptz + interval '1 hour')`,
    )
    await move(taken)
    expect(await clinicianOf(body.id)).not.toBe(first)
    await queryAsOwner(fixtures, sql`delete from auth.working_hours`)
    expect(await slots()).toEqual([])
    expect((await invokeOk(fixtures, 'getVisit', { ...callerOf(0), id: body.id })).status).toBe(
      'scheduled',
    )
  })
})
