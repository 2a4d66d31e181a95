import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, queuedCase, invokeOk, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { runAutopilot } from './run-autopilot.ts'

const fixtures = useFixtures()

/** Moves the last run into the past, so the next run is due. */
const nextMinute = () =>
  queryAsOwner(fixtures, sql`update public.job_runs set minute = minute - interval '1 minute'`)
/** Runs the autopilot. First waits until real time has passed each tenant's clock, which may be
 *  milliseconds ahead. */
const runNow = async () => {
  const ahead = sql`select from test.tenants where last > clock_timestamp()`
  await until(async () => (await queryAsOwner(fixtures, ahead)).length === 0, 2)
  await nextMinute()
  return runAutopilot(fixtures.workerContext)
}
/** Moves every status change into the past. */
const age = (seconds: number) =>
  queryAsOwner(
    fixtures,
    sql`with aged as (update test.cases set status_at = status_at - ${seconds}::int * interval '1 s')
        update test.orders set status_at = status_at - ${seconds}::int * interval '1 s'`,
  )
const set = (body: object, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'updateAutopilot', { as, body })
const caseOf = (id: string) => invokeOk(fixtures, 'getCase', { id })
const orderOf = async (id: string) => (await invokeOk(fixtures, 'listOrders', { id })).data[0]

describe('autopilot settings 200', () => {
  test('timers are off until set, and are kept per integration', async () => {
    expect(await invokeOk(fixtures, 'getAutopilot')).toEqual({
      approve_after_s: null,
      ship_after_s: null,
    })
    expect(await set({ approve_after_s: 3600 })).toEqual({
      approve_after_s: 3600,
      ship_after_s: null,
    })
    expect(await set({ ship_after_s: 0 })).toEqual({ approve_after_s: 3600, ship_after_s: 0 })
    expect(await set({})).toEqual({ approve_after_s: 3600, ship_after_s: 0 })
    expect(await set({ approve_after_s: null })).toEqual({ approve_after_s: null, ship_after_s: 0 })
    expect(await invokeOk(fixtures, 'getAutopilot', { as: fixtures.ben.test })).toEqual({
      approve_after_s: null,
      ship_after_s: null,
    })
    await set({ ship_after_s: null })
  })
})

describe('autopilot settings 400', () => {
  test.each([
    [{ approve_after_s: -1 }, '#/approve_after_s', 'too_small'],
    [{ ship_after_s: 3601 }, '#/ship_after_s', 'too_large'],
    [{ ship_after_s: '30' }, '#/ship_after_s', 'wrong_type'],
  ])('%j', async (body, pointer, code) => {
    const replied = await expectRefused(fixtures, 'updateAutopilot', 'invalid_request', { body })
    expect(replied.body.errors).toMatchObject([{ pointer, code }])
  })
})

describe('autopilot', () => {
  test('changes nothing while the timers are off', async () => {
    const { id } = await queuedCase(fixtures)
    await age(4000)
    expect(await runNow()).toEqual({ approve: 0, ship: 0, deliver: 0 })
    expect((await caseOf(id)).status).toBe('queued')
  })

  test('approves, ships and delivers what’s due, one step per run, each with its events', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    const { id } = await queuedCase(fixtures)
    await set({ approve_after_s: 0, ship_after_s: 0 })
    const before = (await eventsAfter(fixtures, null)).at(-1)?.id ?? ''
    expect(await runNow()).toEqual({ approve: 1, ship: 0, deliver: 0 })
    expect((await caseOf(id)).status).toBe('approved')
    expect(await runNow()).toEqual({ approve: 0, ship: 1, deliver: 0 })
    expect(await orderOf(id)).toMatchObject({ status: 'shipped', tracking: null })
    expect(await runNow()).toEqual({ approve: 0, ship: 0, deliver: 1 })
    expect((await orderOf(id)).status).toBe('delivered')
    expect((await eventsAfter(fixtures, before)).map(({ type }) => type)).toEqual([
      'case.in_review.v1',
      'case.approved.v1',
      'prescription.created.v1',
      'order.created.v1',
      'order.at_pharmacy.v1',
      'order.shipped.v1',
      'prescription.updated.v1',
      'order.delivered.v1',
    ])
    const audit = await queryAsOwner(
      fixtures,
      sql`select action, surface, actor, outcome, target from audit.entries
           where surface = 'worker' order by seq desc limit 1`,
    )
    expect([...audit]).toEqual([
      {
        action: 'autopilot.deliver',
        surface: 'worker',
        actor: 'autopilot',
        outcome: 'ok',
        target: id,
      },
    ])
    await set({ approve_after_s: null, ship_after_s: null })
  })

  test('measures from the last status change and with the current timers', async () => {
    const { id } = await queuedCase(fixtures)
    await set({ approve_after_s: 60 })
    expect((await runNow())?.approve).toBe(0)
    await age(59)
    expect((await runNow())?.approve).toBe(0)
    await set({ approve_after_s: 30 })
    expect((await runNow())?.approve).toBeGreaterThan(0)
    expect((await caseOf(id)).status).toBe('approved')
    await set({ approve_after_s: null })
  })

  test('decides cases in the order they became due', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    const [asked, other] = [await queuedCase(fixtures), await queuedCase(fixtures)]
    const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    await invokeOk(fixtures, 'decideCase', { id: asked.id, body: question })
    await invokeOk(fixtures, 'answerCase', {
      id: asked.id,
      body: { answers: [{ answer: 'May.' }] },
    })
    await set({ approve_after_s: 0 })
    expect((await runNow())?.approve).toBe(2)
    const approved = (await eventsAfter(fixtures, null)).filter(
      ({ type }) => type === 'case.approved.v1',
    )
    expect(approved.map(({ resource }) => resource.id)).toEqual([other.id, asked.id])
    await set({ approve_after_s: null })
  })

  test('skips held and waiting cases, blocked orders and other integrations', async () => {
    const held = await queuedCase(fixtures, undefined, { hold: true })
    const waiting = await queuedCase(fixtures)
    await invokeOk(fixtures, 'decideCase', {
      id: waiting.id,
      body: { decision: 'needs_info', target: 'patient', question: 'Since when?' },
    })
    const blocked = await queuedCase(fixtures)
    await invokeOk(fixtures, 'decideCase', { id: blocked.id, body: { decision: 'approve' } })
    await invokeOk(fixtures, 'blockCase', { id: blocked.id, body: { reason: 'Out of stock.' } })
    const bens = await queuedCase(fixtures, fixtures.ben.test)
    await age(4000)
    await set({ approve_after_s: 0, ship_after_s: 0 })
    await runNow()
    expect((await caseOf(held.id)).status).toBe('received')
    expect((await caseOf(waiting.id)).status).toBe('waiting_on_patient')
    expect((await orderOf(blocked.id)).status).toBe('blocked')
    expect(
      (await invokeOk(fixtures, 'getCase', { as: fixtures.ben.test, id: bens.id })).status,
    ).toBe('queued')
    await set({ approve_after_s: null, ship_after_s: null })
  })

  test('runs once a minute, whatever the number of workers', async () => {
    const cases = await Promise.all([1, 2, 3].map(() => queuedCase(fixtures)))
    await set({ approve_after_s: 0 })
    await age(1)
    await nextMinute()
    const runs = await Promise.all([1, 2, 3, 4].map(() => runAutopilot(fixtures.workerContext)))
    expect(runs.filter(moved => moved !== null)).toHaveLength(1)
    expect(await runAutopilot(fixtures.workerContext)).toBeNull()
    for (const { id } of cases) {
      const { data } = await invokeOk(fixtures, 'listCaseEvents', { id, query: { limit: '100' } })
      const types = data.map((event: { type: string }) => event.type)
      expect(types.filter((type: string) => type === 'case.approved.v1')).toHaveLength(1)
    }
    await set({ approve_after_s: null })
  })

  test('a case is decided once when the clinician decides at the same time', async () => {
    const cases = await Promise.all(Array.from({ length: 8 }, () => queuedCase(fixtures)))
    await set({ approve_after_s: 0 })
    await age(1)
    await nextMinute()
    const decline = { decision: 'decline', reason: 'Not safe.' }
    const [, ...decided] = await Promise.all([
      runAutopilot(fixtures.workerContext),
      ...cases.map(({ id }) => invoke(fixtures, 'decideCase', { id, body: decline })),
    ])
    for (const [at, { id }] of cases.entries()) {
      const { status } = await caseOf(id)
      expect(status).toBe(decided[at]?.status === 200 ? 'declined' : 'approved')
    }
    await set({ approve_after_s: null })
  })

  test('continues with the next case if one can’t be changed', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    const gone = await queuedCase(fixtures)
    const next = await queuedCase(fixtures)
    // The patient expired after thirty days; the case hasn't.
    await queryAsOwner(
      fixtures,
      sql`update test.patients set created_at = now() - interval '31 days'
                           where id = ${gone.patient}`,
    )
    await set({ approve_after_s: 0 })
    await age(1)
    expect((await runNow())?.approve).toBe(1)
    expect((await caseOf(gone.id)).status).toBe('queued')
    expect((await caseOf(next.id)).status).toBe('approved')
    expect((await caseOf(next.id)).plan[0].medication_id).toBe(semaglutide)
    await set({ approve_after_s: null })
  })
})
