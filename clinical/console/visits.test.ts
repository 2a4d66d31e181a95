// Clinic staff change a visit's status; the integration sees the change and is charged.

import { beforeAll, expect, test } from 'bun:test'
import type { ConsoleId } from '#contract/console/operations.ts'
import { visitStatuses, visitTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { bookedLiveVisit, hireClinician } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'
import { patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
let doctor: StaffMember
let as: string
beforeAll(async () => {
  doctor = await staff.hire(['clinician'], { states: ['CA'] })
  as = fixtures.ada.live
})

/** Sets the visit's start to the given number of seconds from now. */
const startIn = (id: string, seconds: number) =>
  queryAsOwner(
    fixtures,
    sql`update live.visits
           set starts_at = now() + ${seconds}::int * interval '1 second',
               ends_at = ends_at - starts_at + now() + ${seconds}::int * interval '1 second'
         where id = ${id}`,
  )
const twentyMinutesAgo = -1200

/** Books a visit with a new clinician, because a clinician has one visit at a time. */
async function booked(seconds: number | null = twentyMinutesAgo) {
  const by = await staff.hire(['clinician'], { states: ['CA'] })
  const patient = await patientIn(fixtures, 'CA', as)
  const visit = await bookedLiveVisit(fixtures, { as, patient, state: 'CA' })
  if (seconds !== null) await startIn(visit.id, seconds)
  await queryAsOwner(
    fixtures,
    sql`update live.visits set clinician = ${by.person} where id = ${visit.id}`,
  )
  return { ...visit, by, ...(await versionOf(visit.id)) }
}
const versionOf = async (id: string) => {
  const { updated_at: version } = await invokeOk(fixtures, 'getVisit', { as, id })
  return { version: version as string }
}
const eventsOf = async (resource: string) => {
  const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { limit: '100' } })
  return data
    .filter((one: { resource: { id: string } }) => one.resource.id === resource)
    .map((one: { type: string; status: string }) => [one.type, one.status])
}

test('a visit that a clinician starts and completes is charged, with an event for each', async () => {
  const { id, version } = await booked()
  const started = await staff.ok('startClinicVisit', { as: doctor, id, body: { version } })
  expect(started.status).toBe('started')
  const stale = await staff.call('completeClinicVisit', { as: doctor, id, body: { version } })
  expect(stale.code).toBe('version_changed')
  const body = { version: started.updated_at }
  const results = await Promise.all(
    [1, 2].map(() => staff.call('completeClinicVisit', { as: doctor, id, body })),
  )
  expect(results.map(({ code }) => code ?? 'done').toSorted()).toEqual(['done', 'version_changed'])
  expect(await eventsOf(id)).toEqual([
    ['visit.booked.v1', 'scheduled'],
    ['visit.started.v1', 'started'],
    ['visit.completed.v1', 'completed'],
  ])
  const charges = await queryAsOwner(
    fixtures,
    sql`select amount::int as amount, kind from live.charges where resource_id = ${id}`,
  )
  expect([...charges]).toEqual([{ amount: 4900, kind: 'video_visit' }])
})

test('a no-show and a canceled visit are not charged', async () => {
  for (const [operation, status] of [
    ['missClinicVisit', 'no_show'],
    ['cancelClinicVisit', 'cancelled'],
  ] as const) {
    const { id, version } = await booked()
    const done = await staff.ok(operation, { as: doctor, id, body: { version } })
    expect(done.status).toBe(status)
    const again = await staff.call(operation, {
      as: doctor,
      id,
      body: { version: done.updated_at },
    })
    expect(again.code).toBe('invalid_transition')
    const charges = await queryAsOwner(
      fixtures,
      sql`select from live.charges where resource_id = ${id}`,
    )
    expect(charges).toHaveLength(0)
  }
})

/** The earliest time for each move, in seconds after the visit's start. A no-show is possible after
 *  15 minutes, and joining from an hour before the start. */
const opensAfter = {
  reschedule: null,
  cancel: null,
  join: -3600,
  start: -3600,
  complete: null,
  miss: 900,
} as const satisfies Record<keyof typeof visitTransitions, number | null>

test.each(Object.entries(opensAfter) as [keyof typeof opensAfter, number | null][])(
  'a visit: %s opens %p seconds after its start',
  async (move, after) => {
    const early = after === null ? 5 * 86_400 : 5 - after
    const visit = await booked(move === 'complete' ? twentyMinutesAgo : early)
    if (move === 'complete') await send(visit, 'start')
    const act = (): ReturnType<typeof staff.call> =>
      move === 'join'
        ? staff.call('joinClinicVisit', { as: visit.by, id: visit.id })
        : send(visit, move)
    if (after !== null) {
      const refused = await act()
      expect(refused.code).toBe(move === 'join' ? 'join_not_open' : 'too_early')
      const { status } = await invokeOk(fixtures, 'getVisit', { as, id: visit.id })
      expect(status).toBe('scheduled')
      if (move !== 'join') {
        const opens = Date.parse(refused.body.members.opens_at) - fixtures.context.now()
        expect([opens > 0, opens <= 5_000]).toEqual([true, true])
      }
      await startIn(visit.id, -after - 1)
    }
    expect((await act()).code).toBeNull()
  },
)

const moves = {
  reschedule: ['moveClinicVisit', 'scheduled', 'visit.rescheduled.v1'],
  cancel: ['cancelClinicVisit', 'cancelled', 'visit.cancelled.v1'],
  start: ['startClinicVisit', 'started', 'visit.started.v1'],
  complete: ['completeClinicVisit', 'completed', 'visit.completed.v1'],
  miss: ['missClinicVisit', 'no_show', 'visit.no_show.v1'],
} as const satisfies Partial<
  Record<keyof typeof visitTransitions, readonly [ConsoleId, ...string[]]>
>
/** The moves that bring a visit into each state. */
const pathsTo = {
  scheduled: [],
  started: ['start'],
  completed: ['start', 'complete'],
  cancelled: ['cancel'],
  no_show: ['miss'],
} as const satisfies Record<(typeof visitStatuses)[number], readonly (keyof typeof moves)[]>

type Move = keyof typeof moves
type Booked = Awaited<ReturnType<typeof booked>>

async function send({ id, free, by }: Booked, name: Move) {
  const body = { ...(await versionOf(id)), ...(name === 'reschedule' && { starts_at: free }) }
  return staff.call(moves[name][0], { as: by, id, body })
}

async function visitIn(state: keyof typeof pathsTo): Promise<Booked> {
  const visit = await booked()
  for (const name of pathsTo[state]) expect((await send(visit, name)).status).toBe(200)
  return visit
}

const allowed = (move: Move, from: string) =>
  (visitTransitions[move].from as readonly string[]).includes(from)

/** clinical/visits/states.test.ts writes out the same table for the sandbox. */
test.each(visitStatuses)(
  'a visit that is %s: the clinic’s moves follow the table',
  async from => {
    const all = Object.keys(moves) as Move[]
    const visit = await visitIn(from)
    const before = await eventsOf(visit.id)
    for (const move of all.filter(one => !allowed(one, from))) {
      const { status, code } = await send(visit, move)
      expect([move, status, code]).toEqual([move, 409, 'invalid_transition'])
    }
    expect(await eventsOf(visit.id)).toEqual(before)
    for (const move of all.filter(one => allowed(one, from))) {
      const one = await visitIn(from)
      const { status, body } = await send(one, move)
      const [, to, type] = moves[move]
      expect([move, status, body.status]).toEqual([move, 200, to])
      expect((await eventsOf(one.id)).at(-1)).toEqual([type, to])
    }
  },
  20_000,
)

const clinicianOf = async (id: string) => {
  const [row] = await queryAsOwner(
    fixtures,
    sql`select clinician from live.visits where id = ${id}`,
  )
  return row?.['clinician']
}

test('only a clinician licensed in the visit’s state joins or starts it', async () => {
  const { id, version, by } = await booked()
  const start = (member: StaffMember) =>
    staff.call('startClinicVisit', { as: member, id, body: { version } })
  const away = await staff.hire(['clinician'], { states: ['NV'] })
  expect((await start(away)).code).toBe('license_required')
  await queryAsOwner(
    fixtures,
    sql`update auth.licenses set expires_on = current_date - 2 where person = ${by.person}`,
  )
  expect((await start(by)).code).toBe('license_required')
  expect((await staff.call('joinClinicVisit', { as: by, id })).code).toBe('license_required')
  expect((await invokeOk(fixtures, 'getVisit', { as, id })).status).toBe('scheduled')
  expect((await start(doctor)).code).toBeNull()
})

test('a colleague who starts a visit takes it over, unless they have one at that time', async () => {
  const [first, second] = [await booked(), await booked()]
  const start = ({ id, version }: Booked, member: StaffMember) =>
    staff.call('startClinicVisit', { as: member, id, body: { version } })
  const busy = await start(first, second.by)
  expect([busy.code, busy.body.detail]).toEqual([
    'slot_unavailable',
    'You have another visit at that time.',
  ])
  const colleague = await staff.hire(['clinician'], { states: ['CA'] })
  expect((await start(first, colleague)).body.clinician_name).toBe(colleague.name)
  expect(await clinicianOf(first.id)).toBe(colleague.person)
  expect((await staff.call('joinClinicVisit', { as: colleague, id: first.id })).code).toBeNull()
  expect((await staff.call('joinClinicVisit', { as: first.by, id: first.id })).code).toBe(
    'not_found',
  )
})

test('a visit is handed to a free colleague at its own time, until it ends', async () => {
  const patient = await patientIn(fixtures, 'WY', as)
  const { id } = await bookedLiveVisit(fixtures, { as, patient, state: 'WY' })
  const handOver = async () => {
    const { starts_at, updated_at: version } = await invokeOk(fixtures, 'getVisit', { as, id })
    const { free_times } = await staff.ok('readClinicVisit', { as: doctor, id })
    const body = { version, starts_at }
    const { code } = await staff.call('moveClinicVisit', { as: doctor, id, body })
    return { isOffered: free_times.includes(starts_at), code }
  }
  const handOverAt = async (seconds: number, isFree: boolean) => {
    const colleague = await hireClinician(fixtures, { states: ['WY'], weekdays: [] })
    await startIn(id, seconds)
    await queryAsOwner(
      fixtures,
      sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
          select ${colleague}, ${fixtures.clinic}, ${colleague}, 'extra', starts_at, ends_at
            from live.visits where id = ${id} and ${isFree}`,
    )
    return { ...(await handOver()), isTheirs: (await clinicianOf(id)) === colleague }
  }
  const refused = { isOffered: false, code: 'slot_unavailable', isTheirs: false } as const
  expect(await handOverAt(-600, false)).toEqual(refused)
  const done = { isOffered: true, code: null, isTheirs: true }
  for (const seconds of [600, -600]) expect(await handOverAt(seconds, true)).toEqual(done)
  expect((await eventsOf(id)).at(-1)).toEqual(['visit.rescheduled.v1', 'scheduled'])
  expect(await handOverAt(-1801, true)).toEqual(refused)
})

test('the clinic can reschedule a visit only to a free time', async () => {
  const { id, version, free } = await booked(null)
  const move = (to: string, from: string) =>
    staff.call('moveClinicVisit', { as: doctor, id, body: { version: from, starts_at: to } })
  expect((await move('2040-01-01T10:00:00.000Z', version)).code).toBe('slot_unavailable')
  const moved = await move(free, version)
  expect([moved.status, moved.body.starts_at]).toEqual([200, free])
  expect((await eventsOf(id)).at(-1)).toEqual(['visit.rescheduled.v1', 'scheduled'])
})

test('the list shows the visits in a window, with patient and integration', async () => {
  const { id, starts_at } = await booked(null)
  const to = new Date(Date.parse(starts_at) + 1).toISOString()
  const query = { from: starts_at, to }
  const { data } = await staff.ok('listClinicVisits', { as: doctor, query })
  const found = data.find((one: { id: string }) => one.id === id)
  expect(found).toMatchObject({
    starts_at,
    patient_name: 'Ada Rivera',
    integration: { id: fixtures.ada.integration },
    is_own: false,
  })
  const before = { from: '2026-01-01T00:00:00Z', to: starts_at }
  const { data: others } = await staff.ok('listClinicVisits', { as: doctor, query: before })
  expect(others.map((one: { id: string }) => one.id)).not.toContain(id)
})
