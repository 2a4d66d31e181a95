// Deliberate races: after many concurrent calls, the rows and events must match some serial order.
// The pool is large enough for the calls to run at the same time.

import { expect, test } from 'bun:test'
import type { CallableId } from '#contract/callable.ts'
import { sql } from '#database/sql.ts'
import {
  consentedPatient,
  invoke,
  queuedCase,
  caseBody,
  invokeOk,
  type CallResult,
  rivera,
} from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures({ poolSize: 24 })

const atOnce = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

const statuses = (answers: CallResult[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, one => one.code ?? String(one.status))].map(([status, all]) => [
      status,
      all.length,
    ]),
  )

test('races: 100 requests with one idempotency key create one patient and one event', async () => {
  const options = { key: 'duplicate', body: { ...rivera, external_id: 'duplicate' } }
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    atOnce(100, () => invoke(fixtures, 'createPatient', options)),
  )
  const { idempotency_in_progress: refusals = 0, '201': answered = 0 } = statuses(answers)
  expect(refusals + answered).toBe(100)
  const done = answers.filter(one => one.status === 201)
  expect(new Set(done.map(one => one.text)).size).toBe(1)
  const firsts = done.filter(one => one.headers['idempotent-replayed'] === undefined)
  expect(firsts).toHaveLength(1)
  for (const one of answers.filter(one => one.status === 409)) {
    expect(one.headers['retry-after']).toBe('1')
  }
  expect(lines).toEqual([`patient.created.v1 null → active ${firsts[0]?.body.id}`])
  const { data } = await invokeOk(fixtures, 'listPatients', { query: { external_id: 'duplicate' } })
  expect(data).toHaveLength(1)
  const audited = await queryAsOwner<{ outcome: string; count: number }>(
    fixtures,
    sql`select outcome, count(*)::int as count from audit.entries
         where action = 'createPatient' group by 1 order by 1`,
  )
  const expected = { ok: 1, refused: refusals, replayed: answered - 1 }
  expect(Object.fromEntries(audited.map(({ outcome, count }) => [outcome, count]))).toEqual(
    Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0)),
  )
})

test('races: 100 cancellations with one idempotency key cancel once; the others replay or wait', async () => {
  const { id } = await queuedCase(fixtures)
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    atOnce(100, () => invoke(fixtures, 'cancelCase', { id, key: 'one-cancel' })),
  )
  const { idempotency_in_progress: refusals = 0, '200': answered = 0 } = statuses(answers)
  expect([refusals + answered, lines]).toEqual([
    100,
    [`case.cancelled.v1 queued → cancelled ${id}`],
  ])
  expect(new Set(answers.filter(one => one.status === 200).map(one => one.text)).size).toBe(1)
})

test('races: ten approvals with ten keys approve a case once', async () => {
  const { id } = await queuedCase(fixtures)
  const { answer: answers, lines } = await eventsOf(fixtures, () =>
    atOnce(10, () => invoke(fixtures, 'decideCase', { id, body: { decision: 'approve' } })),
  )
  expect(statuses(answers)).toEqual({ '200': 1, invalid_transition: 9 })
  for (const one of answers.filter(one => one.problem)) {
    expect(one.body.members.current_status).toBe('approved')
  }
  const { prescription_ids, order_ids } = await invokeOk(fixtures, 'getCase', { id })
  expect(lines).toEqual([
    `case.in_review.v1 queued → in_review ${id}`,
    `case.approved.v1 in_review → approved ${id}`,
    `prescription.created.v1 null → active ${prescription_ids[0]}`,
    `order.created.v1 null → created ${order_ids[0]}`,
  ])
  expect((await invokeOk(fixtures, 'listPrescriptions', { id })).data).toHaveLength(1)
  expect((await invokeOk(fixtures, 'listOrders', { id })).data).toHaveLength(1)
})

test('races: one of concurrent cancel, withdraw and decide calls wins, and the events are consistent', async () => {
  const calls: [CallableId, object?][] = [
    ['cancelCase'],
    ['withdrawCase'],
    ['decideCase', { decision: 'approve' }],
    ['decideCase', { decision: 'decline', reason: 'No.' }],
    ['decideCase', { decision: 'needs_info', target: 'patient', question: 'q' }],
    ['createMessage', { body: 'b' }],
  ]
  for (let round = 0; round < 8; round++) {
    const { id } = await queuedCase(fixtures)
    const answers = await atOnce(calls.length, at => {
      const [operation, body] = calls[(at + round) % calls.length] ?? ['getCase']
      return invoke(fixtures, operation, { id, body })
    })
    for (const one of answers) expect([200, 201, 409]).toContain(one.status)
    const { data } = await invokeOk(fixtures, 'listCaseEvents', { id })
    let status: string | null = null
    for (const event of data) {
      expect(event.previous_status).toBe(status)
      status = event.status
    }
    expect((await invokeOk(fixtures, 'getCase', { id })).status).toBe(status)
    // A final status is reached once, and only messages follow it.
    const moved = data.filter((one: { type: string }) => one.type !== 'case.message_created.v1')
    const finals = moved.filter((one: { status: string }) =>
      ['approved', 'declined', 'cancelled', 'withdrawn'].includes(one.status),
    )
    expect(finals.length).toBe(1)
    expect(moved.at(-1)).toEqual(finals[0])
  }
})

test('races: when consents of one kind are recorded concurrently, only the newest is current', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    await atOnce(4, at =>
      invokeOk(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version: `${at}` } }),
    )
    const { data } = await invokeOk(fixtures, 'listConsents', { id })
    expect(data.map((one: { status: string }) => one.status)).toEqual([
      'superseded',
      'superseded',
      'superseded',
      'current',
    ])
  }
})

test('races: a case created while its consent is renewed has the consent that was current, or is refused', async () => {
  for (let round = 0; round < 8; round++) {
    const agreed = await consentedPatient(fixtures)
    const id = agreed.patient
    const [filed, renewed] = await Promise.all([
      invoke(fixtures, 'createCase', { body: caseBody(agreed) }),
      invokeOk(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version: '2' } }),
    ])
    expect(statuses([filed])).toEqual(filed.problem ? { consent_required: 1 } : { '201': 1 })
    if (!filed.problem) expect(filed.body.created_at < renewed.created_at).toBe(true)
  }
})

test('races: no case stays open for a patient deleted while cases are created', async () => {
  for (let round = 0; round < 8; round++) {
    const agreed = await consentedPatient(fixtures)
    const { patient } = agreed
    const before = (await eventsAfter(fixtures, null)).at(-1)?.id ?? null
    const [deleted, ...filed] = await Promise.all([
      invoke(fixtures, 'deletePatient', { id: patient }),
      ...Array.from({ length: 5 }, () =>
        invoke(fixtures, 'createCase', { body: caseBody(agreed) }),
      ),
    ])
    expect(deleted.status).toBe(200)
    for (const one of filed) expect([201, 400]).toContain(one.status)
    const { data } = await invokeOk(fixtures, 'listCases', { query: { patient } })
    expect(data).toHaveLength(filed.filter(one => one.status === 201).length)
    for (const one of data) expect(one.status).toBe('withdrawn')
    const events = await eventsAfter(fixtures, before)
    expect(events.at(-1)?.type).toBe('patient.deleted.v1')
    expect(events.filter(one => one.type === 'case.withdrawn.v1')).toHaveLength(data.length)
  }
})

test('races: an order has the patient’s address when the order was created', async () => {
  const filed = await atOnce(12, () => queuedCase(fixtures))
  await Promise.all(
    filed.flatMap(({ id, patient }, at) => [
      invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } }),
      invokeOk(fixtures, 'updatePatient', {
        id: patient,
        body: { address: { ...rivera.address, line1: `${at} Moved Street` } },
      }),
    ]),
  )
  for (const [at, { id, patient }] of filed.entries()) {
    const [order] = (await invokeOk(fixtures, 'listOrders', { id })).data
    const moved = await invokeOk(fixtures, 'getPatient', { id: patient })
    const movedFirst = moved.updated_at < order.created_at
    expect(order.ship_to.line1 === `${at} Moved Street`).toBe(movedFirst)
  }
})
