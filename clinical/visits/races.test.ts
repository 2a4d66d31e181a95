// Concurrent bookings and changes of visits: no clinician and no patient ever has two visits at the
// same time, and the calls that come too late are refused with slot_unavailable.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { type CallOptions, invoke, invokeOk, type CallResult } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner, eventsOf } from '../testing/assertions.ts'
import { runIntoLock } from '../testing/races.ts'
import { bookedVisit, freeSlot, freeStarts, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures({ poolSize: 24 })
})
afterAll(async () => {
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

const outcomeOf = (answer: CallResult): string => answer.code ?? String(answer.status)
const outcomesOf = (answers: CallResult[]) => answers.map(outcomeOf).toSorted()
const book = (patient: string, starts_at: string, more: CallOptions = {}) =>
  invoke(fixtures, 'bookVisit', { ...more, body: { patient, starts_at } })
const twenty = Array.from({ length: 20 }, (_, at) => at)

test('bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable', async () => {
  const { starts_at } = await freeSlot(fixtures, undefined, 'TX')
  const patients = await Promise.all(twenty.map(() => patientIn(fixtures, 'TX')))
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    Promise.all(patients.map(patient => book(patient, starts_at))),
  )
  expect(outcomesOf(answers)).toEqual(['201', ...twenty.slice(1).map(() => 'slot_unavailable')])
  const winner = answers.find(one => one.status === 201)?.body
  expect(lines).toEqual([`visit.booked.v1 null → scheduled ${winner.id}`])
  for (const one of answers.filter(one => one.problem)) {
    expect(one.body.members).toEqual({ starts_at })
  }
})

test('bookVisit: twenty concurrent requests with one key book one visit, and none gets slot_unavailable', async () => {
  const { patient, starts_at } = await freeSlot(fixtures)
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    Promise.all(twenty.map(() => book(patient, starts_at, { key: 'repeats' }))),
  )
  for (const one of answers) expect(['201', 'idempotency_in_progress']).toContain(outcomeOf(one))
  expect(new Set(answers.filter(one => !one.problem).map(one => one.text)).size).toBe(1)
  expect(lines.length).toBe(1)
})

test('bookVisit: twenty concurrent bookings for one patient create one visit', async () => {
  const { patient, starts_at } = await freeSlot(fixtures, undefined, 'NY')
  const answers = await Promise.all(twenty.map(() => book(patient, starts_at)))
  expect(outcomesOf(answers)).toEqual(['201', ...twenty.slice(1).map(() => 'slot_unavailable')])
})

test('bookVisit: a patient who moves to another state in the meantime gets no slot in the old one', async () => {
  const patient = await patientIn(fixtures, 'TX')
  const inCalifornia = await freeStarts(fixtures, 'CA')
  const inTexas = await freeStarts(fixtures, 'TX')
  const starts_at = inTexas.slice(4).find(start => !inCalifornia.includes(start)) ?? ''
  const [answer] = await runIntoLock(
    fixtures,
    sql`select from test.patients where id = ${patient} for update`,
    [() => book(patient, starts_at)],
    connection =>
      connection.run(sql`
        update test.patients set address = jsonb_set(address::jsonb, '{state}', '"CA"')::json
         where id = ${patient}`),
  )
  expect(answer?.code).toBe('slot_unavailable')
  expect(await freeStarts(fixtures, 'TX')).toContain(starts_at)
})

test('rescheduleVisit: of several visits that move to one slot while it is booked, one gets it and the others stay', async () => {
  for (let round = 0; round < 4; round++) {
    const visits = await Promise.all(
      (await freeStarts(fixtures, 'FL')).slice(1, 5).map(async starts_at => {
        const patient = await patientIn(fixtures, 'FL')
        return invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
      }),
    )
    const [starts_at = ''] = await freeStarts(fixtures, 'FL')
    const patient = await patientIn(fixtures, 'FL')
    const answers = await Promise.all([
      book(patient, starts_at),
      ...visits.map(({ id }) => invoke(fixtures, 'rescheduleVisit', { id, body: { starts_at } })),
    ])
    expect(answers.filter(one => !one.problem)).toHaveLength(1)
    expect(outcomesOf(answers.filter(one => one.problem))).toEqual(
      visits.map(() => 'slot_unavailable'),
    )
    for (const [at, visit] of visits.entries()) {
      const now = await invokeOk(fixtures, 'getVisit', { id: visit.id })
      const moved = !answers[at + 1]?.problem
      expect(now.starts_at).toBe(moved ? starts_at : visit.starts_at)
    }
  }
})

test('rescheduleVisit: two visits that swap their slots are both refused', async () => {
  for (let round = 0; round < 6; round++) {
    const [one = '', other = ''] = await freeStarts(fixtures, 'WA')
    const visits = await Promise.all(
      [one, other].map(async starts_at =>
        invokeOk(fixtures, 'bookVisit', {
          body: { patient: await patientIn(fixtures, 'WA'), starts_at },
        }),
      ),
    )
    const [first, second] = visits
    const answers = await Promise.all([
      invoke(fixtures, 'rescheduleVisit', { id: first.id, body: { starts_at: other } }),
      invoke(fixtures, 'rescheduleVisit', { id: second.id, body: { starts_at: one } }),
    ])
    // Each visit needs the other visit's slot, which isn't free until that visit has moved.
    expect(outcomesOf(answers)).toEqual(['slot_unavailable', 'slot_unavailable'])
    for (const { id } of visits) await invokeOk(fixtures, 'cancelVisit', { id })
  }
})

test('cancelVisit: frees the slot immediately, for one of several concurrent bookings', async () => {
  const visit = await bookedVisit(fixtures)
  const patients = await Promise.all(twenty.slice(0, 6).map(() => patientIn(fixtures, visit.state)))
  const [cancelled, ...booked] = await Promise.all([
    invoke(fixtures, 'cancelVisit', { id: visit.id }),
    ...patients.map(patient => book(patient, visit.starts_at)),
  ])
  expect(cancelled.status).toBe(200)
  expect(booked.filter(one => !one.problem).length).toBeLessThanOrEqual(1)
  const again = await book(await patientIn(fixtures, visit.state), visit.starts_at)
  const had = booked.some(one => !one.problem)
  expect(again.code ?? '201').toBe(had ? 'slot_unavailable' : '201')
})

test('visits: one of several concurrent transitions wins, and the events are consistent', async () => {
  const moves: OperationId[] = ['cancelVisit', 'startVisit', 'noShowVisit', 'completeVisit']
  for (let round = 0; round < 8; round++) {
    const { id } = await bookedVisit(fixtures)
    const { answer: answers, events } = await eventsOf(fixtures, () =>
      Promise.all(moves.map(move => invoke(fixtures, move, { id }))),
    )
    for (const one of answers) expect(['200', 'invalid_transition']).toContain(outcomeOf(one))
    let status: string | null = 'scheduled'
    for (const event of events.filter(one => one.resource.id === id)) {
      expect(event.previous_status).toBe(status)
      status = event.status
    }
    expect((await invokeOk(fixtures, 'getVisit', { id })).status).toBe(status)
  }
})

test('completeVisit: ten concurrent calls complete and charge the visit once', async () => {
  const { id } = await bookedVisit(fixtures)
  await invokeOk(fixtures, 'startVisit', { id })
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    Promise.all(twenty.slice(0, 10).map(() => invoke(fixtures, 'completeVisit', { id }))),
  )
  expect(outcomesOf(answers)).toEqual([
    '200',
    ...twenty.slice(1, 10).map(() => 'invalid_transition'),
  ])
  const charges = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id from test.charges where resource_id = ${id}`,
  )
  expect(charges).toHaveLength(1)
  expect(lines).toEqual([
    `visit.completed.v1 started → completed ${id}`,
    `charge.created.v1 null → pending ${charges[0]?.id}`,
  ])
})

test('deletePatient: no visit booked at the same time stays scheduled', async () => {
  for (let round = 0; round < 6; round++) {
    const patient = await patientIn(fixtures, 'OH')
    const starts = (await freeStarts(fixtures, 'OH')).slice(0, 5)
    const [deleted, ...booked] = await Promise.all([
      invoke(fixtures, 'deletePatient', { id: patient }),
      ...starts.map(starts_at => book(patient, starts_at)),
    ])
    expect(deleted.status).toBe(200)
    for (const one of booked) expect(['201', 'invalid_request']).toContain(outcomeOf(one))
    for (const one of booked.filter(one => !one.problem)) {
      expect((await invokeOk(fixtures, 'getVisit', { id: one.body.id })).status).toBe('cancelled')
    }
    // The slots are free again.
    expect((await freeStarts(fixtures, 'OH')).slice(0, 5)).toEqual(starts)
  }
})

test('visits: after all races no clinician and no patient has overlapping visits', async () => {
  const doubles = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select a.id from test.visits a join test.visits b
          on a.tenant = b.tenant and a.id < b.id and (a.clinician = b.clinician or a.patient = b.patient)
         and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
         and a.status in ('scheduled', 'started') and b.status in ('scheduled', 'started')`,
  )
  expect(doubles).toEqual([])
})
