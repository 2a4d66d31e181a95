// Many callers at one start, on purpose: whatever they do at once, nobody is in two places, and
// what is refused is refused as taken.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { type Asked, ask, must, type Replied } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner, told } from '../testing/assertions.ts'
import { bookedVisit, freeSlot, freeStarts, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures({ poolSize: 24 })
})
afterAll(async () => {
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

const wordOf = (answer: Replied): string => answer.code ?? String(answer.status)
const said = (answers: Replied[]) => answers.map(wordOf).toSorted()
const book = (patient: string, starts_at: string, more: Asked = {}) =>
  ask(fixtures, 'bookVisit', { ...more, body: { patient, starts_at } })
const twenty = Array.from({ length: 20 }, (_, at) => at)

test('twenty callers want one start: one gets it, and nineteen are told that it is taken', async () => {
  const { starts_at } = await freeSlot(fixtures, undefined, 'TX')
  const patients = await Promise.all(twenty.map(() => patientIn(fixtures, 'TX')))
  const { answer: answers, lines } = await told(fixtures, () =>
    Promise.all(patients.map(patient => book(patient, starts_at))),
  )
  expect(said(answers)).toEqual(['201', ...twenty.slice(1).map(() => 'slot_unavailable')])
  const winner = answers.find(one => one.status === 201)?.body
  expect(lines).toEqual([`visit.booked.v1 null → scheduled ${winner.id}`])
  for (const one of answers.filter(one => one.problem)) {
    expect(one.body.members).toEqual({ starts_at })
  }
})

test('twenty twins of one booking make one visit, and none is told that its own start is taken', async () => {
  const { patient, starts_at } = await freeSlot(fixtures)
  const { answer: answers, lines } = await told(fixtures, () =>
    Promise.all(twenty.map(() => book(patient, starts_at, { key: 'twins' }))),
  )
  for (const one of answers) expect(['201', 'idempotency_in_progress']).toContain(wordOf(one))
  expect(new Set(answers.filter(one => !one.problem).map(one => one.text)).size).toBe(1)
  expect(lines.length).toBe(1)
})

test('one patient who books one start twenty times has one visit', async () => {
  const { patient, starts_at } = await freeSlot(fixtures, undefined, 'NY')
  const answers = await Promise.all(twenty.map(() => book(patient, starts_at)))
  expect(said(answers)).toEqual(['201', ...twenty.slice(1).map(() => 'slot_unavailable')])
})

test('visits that are moved to one start while it is booked: one is there, the rest stayed', async () => {
  for (let round = 0; round < 4; round++) {
    const visits = await Promise.all(
      (await freeStarts(fixtures, 'FL')).slice(1, 5).map(async starts_at => {
        const patient = await patientIn(fixtures, 'FL')
        return must(fixtures, 'bookVisit', { body: { patient, starts_at } })
      }),
    )
    const [starts_at = ''] = await freeStarts(fixtures, 'FL')
    const patient = await patientIn(fixtures, 'FL')
    const answers = await Promise.all([
      book(patient, starts_at),
      ...visits.map(({ id }) => ask(fixtures, 'rescheduleVisit', { id, body: { starts_at } })),
    ])
    expect(answers.filter(one => !one.problem)).toHaveLength(1)
    expect(said(answers.filter(one => one.problem))).toEqual(visits.map(() => 'slot_unavailable'))
    for (const [at, visit] of visits.entries()) {
      const now = await must(fixtures, 'getVisit', { id: visit.id })
      const moved = !answers[at + 1]?.problem
      expect(now.starts_at).toBe(moved ? starts_at : visit.starts_at)
    }
  }
})

test('two visits that change places: never both at one start', async () => {
  for (let round = 0; round < 6; round++) {
    const [one = '', other = ''] = await freeStarts(fixtures, 'WA')
    const visits = await Promise.all(
      [one, other].map(async starts_at =>
        must(fixtures, 'bookVisit', {
          body: { patient: await patientIn(fixtures, 'WA'), starts_at },
        }),
      ),
    )
    const [first, second] = visits
    const answers = await Promise.all([
      ask(fixtures, 'rescheduleVisit', { id: first.id, body: { starts_at: other } }),
      ask(fixtures, 'rescheduleVisit', { id: second.id, body: { starts_at: one } }),
    ])
    // Each wants what the other holds, and no statement frees both.
    expect(said(answers)).toEqual(['slot_unavailable', 'slot_unavailable'])
    for (const { id } of visits) await must(fixtures, 'cancelVisit', { id })
  }
})

test('cancelling frees the start at once, for one of those who wait for it', async () => {
  const visit = await bookedVisit(fixtures)
  const patients = await Promise.all(twenty.slice(0, 6).map(() => patientIn(fixtures, visit.state)))
  const [cancelled, ...booked] = await Promise.all([
    ask(fixtures, 'cancelVisit', { id: visit.id }),
    ...patients.map(patient => book(patient, visit.starts_at)),
  ])
  expect(cancelled.status).toBe(200)
  expect(booked.filter(one => !one.problem).length).toBeLessThanOrEqual(1)
  const again = await book(await patientIn(fixtures, visit.state), visit.starts_at)
  const had = booked.some(one => !one.problem)
  expect(again.code ?? '201').toBe(had ? 'slot_unavailable' : '201')
})

test('every way to end a visit at once: one wins, and the log tells one story', async () => {
  const moves: OperationId[] = ['cancelVisit', 'startVisit', 'noShowVisit', 'completeVisit']
  for (let round = 0; round < 8; round++) {
    const { id } = await bookedVisit(fixtures)
    const { answer: answers, events } = await told(fixtures, () =>
      Promise.all(moves.map(move => ask(fixtures, move, { id }))),
    )
    for (const one of answers) expect(['200', 'invalid_transition']).toContain(wordOf(one))
    let status: string | null = 'scheduled'
    for (const event of events.filter(one => one.resource.id === id)) {
      expect(event.previous_status).toBe(status)
      status = event.status
    }
    expect((await must(fixtures, 'getVisit', { id })).status).toBe(status)
  }
})

test('ten completions with ten keys complete once and charge once', async () => {
  const { id } = await bookedVisit(fixtures)
  await must(fixtures, 'startVisit', { id })
  const { answer: answers, lines } = await told(fixtures, () =>
    Promise.all(twenty.slice(0, 10).map(() => ask(fixtures, 'completeVisit', { id }))),
  )
  expect(said(answers)).toEqual(['200', ...twenty.slice(1, 10).map(() => 'invalid_transition')])
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

test('no visit stays scheduled for a patient who is deleted while visits are booked', async () => {
  for (let round = 0; round < 6; round++) {
    const patient = await patientIn(fixtures, 'OH')
    const starts = (await freeStarts(fixtures, 'OH')).slice(0, 5)
    const [deleted, ...booked] = await Promise.all([
      ask(fixtures, 'deletePatient', { id: patient }),
      ...starts.map(starts_at => book(patient, starts_at)),
    ])
    expect(deleted.status).toBe(200)
    for (const one of booked) expect(['201', 'invalid_request']).toContain(wordOf(one))
    for (const one of booked.filter(one => !one.problem)) {
      expect((await must(fixtures, 'getVisit', { id: one.body.id })).status).toBe('cancelled')
    }
    // What was free before is free again.
    expect((await freeStarts(fixtures, 'OH')).slice(0, 5)).toEqual(starts)
  }
})

test('at the end nobody is in two places', async () => {
  const doubles = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select a.id from test.visits a join test.visits b
          on a.tenant = b.tenant and a.id < b.id and (a.clinician = b.clinician or a.patient = b.patient)
         and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
         and a.status in ('scheduled', 'started') and b.status in ('scheduled', 'started')`,
  )
  expect(doubles).toEqual([])
})
