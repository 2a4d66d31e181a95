import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { ask, queuedCase, must, semaglutide } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner, refused } from '../testing/assertions.ts'
import { tick } from './tick.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

/** Lets a minute pass that no worker has ticked in. */
const nextMinute = () =>
  queryAsOwner(fixtures, sql`update public.job_runs set minute = minute - interval '1 minute'`)
/** A tenant's clock may be some milliseconds ahead after a write that took several. */
const tickNow = async () => {
  const ahead = sql`select from test.tenants where last > clock_timestamp()`
  while ((await queryAsOwner(fixtures, ahead)).length > 0) await Bun.sleep(2)
  await nextMinute()
  return tick(fixtures.workerContext)
}
/** Makes everything look as if it had happened so long ago. */
const age = (seconds: number) =>
  queryAsOwner(
    fixtures,
    sql`with aged as (update test.cases set status_at = status_at - ${seconds}::int * interval '1 s')
        update test.orders set status_at = status_at - ${seconds}::int * interval '1 s'`,
  )
const set = (body: object, as = fixtures.ada.test) =>
  must(fixtures, 'updateAutopilot', { as, body })
const caseOf = (id: string) => must(fixtures, 'getCase', { id })
const orderOf = async (id: string) => (await must(fixtures, 'listOrders', { id })).data[0]

describe('200', () => {
  test('timers are off until they are set, one by one, and kept by integration', async () => {
    expect(await must(fixtures, 'getAutopilot')).toEqual({
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
    expect(await must(fixtures, 'getAutopilot', { as: fixtures.ben.test })).toEqual({
      approve_after_s: null,
      ship_after_s: null,
    })
    await set({ ship_after_s: null })
  })
})

describe('400', () => {
  test.each([
    [{ approve_after_s: -1 }, '#/approve_after_s', 'too_small'],
    [{ ship_after_s: 3601 }, '#/ship_after_s', 'too_large'],
    [{ ship_after_s: '30' }, '#/ship_after_s', 'wrong_type'],
    [{ deliver_after_s: 30 }, '#/deliver_after_s', 'unknown_field'],
  ])('%j', async (body, pointer, code) => {
    const replied = await refused(fixtures, 'updateAutopilot', 'invalid_request', { body })
    expect(replied.body.errors).toMatchObject([{ pointer, code }])
  })
})

describe('a tick', () => {
  test('moves nothing while the timers are off', async () => {
    const { id } = await queuedCase(fixtures)
    await age(4000)
    expect(await tickNow()).toEqual({ approve: 0, ship: 0, deliver: 0 })
    expect((await caseOf(id)).status).toBe('queued')
  })

  test('approves, ships and delivers what is due, one step a tick, each with its events', async () => {
    await must(fixtures, 'resetSandbox')
    const { id } = await queuedCase(fixtures)
    await set({ approve_after_s: 0, ship_after_s: 0 })
    const before = (await eventsAfter(fixtures, null)).at(-1)?.id ?? ''
    expect(await tickNow()).toEqual({ approve: 1, ship: 0, deliver: 0 })
    expect((await caseOf(id)).status).toBe('approved')
    expect(await tickNow()).toEqual({ approve: 0, ship: 1, deliver: 0 })
    expect(await orderOf(id)).toMatchObject({ status: 'shipped', tracking: null })
    expect(await tickNow()).toEqual({ approve: 0, ship: 0, deliver: 1 })
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

  test('counts from when the status was entered, and by the timers as they are now', async () => {
    const { id } = await queuedCase(fixtures)
    await set({ approve_after_s: 60 })
    expect((await tickNow())?.approve).toBe(0)
    await age(59)
    expect((await tickNow())?.approve).toBe(0)
    await set({ approve_after_s: 30 })
    expect((await tickNow())?.approve).toBeGreaterThan(0)
    expect((await caseOf(id)).status).toBe('approved')
    await set({ approve_after_s: null })
  })

  test('leaves held and waiting cases and blocked orders, and other integrations', async () => {
    const held = await queuedCase(fixtures, undefined, { hold: true })
    const waiting = await queuedCase(fixtures)
    await must(fixtures, 'decideCase', {
      id: waiting.id,
      body: { decision: 'needs_info', target: 'patient', question: 'Since when?' },
    })
    const blocked = await queuedCase(fixtures)
    await must(fixtures, 'decideCase', { id: blocked.id, body: { decision: 'approve' } })
    await must(fixtures, 'blockCase', { id: blocked.id, body: { reason: 'Out of stock.' } })
    const bens = await queuedCase(fixtures, fixtures.ben.test)
    await age(4000)
    await set({ approve_after_s: 0, ship_after_s: 0 })
    await tickNow()
    expect((await caseOf(held.id)).status).toBe('received')
    expect((await caseOf(waiting.id)).status).toBe('waiting_on_patient')
    expect((await orderOf(blocked.id)).status).toBe('blocked')
    expect((await must(fixtures, 'getCase', { as: fixtures.ben.test, id: bens.id })).status).toBe(
      'queued',
    )
    await set({ approve_after_s: null, ship_after_s: null })
  })

  test('happens once a minute, however many workers there are', async () => {
    const cases = await Promise.all([1, 2, 3].map(() => queuedCase(fixtures)))
    await set({ approve_after_s: 0 })
    await age(1)
    await nextMinute()
    const ticks = await Promise.all([1, 2, 3, 4].map(() => tick(fixtures.workerContext)))
    expect(ticks.filter(moved => moved !== null)).toHaveLength(1)
    expect(await tick(fixtures.workerContext)).toBeNull()
    for (const { id } of cases) {
      const { data } = await must(fixtures, 'listCaseEvents', { id, query: { limit: '100' } })
      const types = data.map((event: { type: string }) => event.type)
      expect(types.filter((type: string) => type === 'case.approved.v1')).toHaveLength(1)
    }
    await set({ approve_after_s: null })
  })

  test('races a clinician safely: the case is decided once', async () => {
    const cases = await Promise.all(Array.from({ length: 8 }, () => queuedCase(fixtures)))
    await set({ approve_after_s: 0 })
    await age(1)
    await nextMinute()
    const decline = { decision: 'decline', reason: 'Not safe.' }
    const [, ...decided] = await Promise.all([
      tick(fixtures.workerContext),
      ...cases.map(({ id }) => ask(fixtures, 'decideCase', { id, body: decline })),
    ])
    for (const [at, { id }] of cases.entries()) {
      const { status } = await caseOf(id)
      expect(status).toBe(decided[at]?.status === 200 ? 'declined' : 'approved')
    }
    await set({ approve_after_s: null })
  })

  test('carries on with the next when one cannot be moved', async () => {
    await must(fixtures, 'resetSandbox')
    const gone = await queuedCase(fixtures)
    const next = await queuedCase(fixtures)
    // The patient is thirty days old, the case that was filed for it is not.
    await queryAsOwner(
      fixtures,
      sql`update test.patients set created_at = now() - interval '31 days'
                           where id = ${gone.patient}`,
    )
    await set({ approve_after_s: 0 })
    await age(1)
    expect((await tickNow())?.approve).toBe(1)
    expect((await caseOf(gone.id)).status).toBe('queued')
    expect((await caseOf(next.id)).status).toBe('approved')
    expect((await caseOf(next.id)).plan[0].medication_id).toBe(semaglutide)
    await set({ approve_after_s: null })
  })
})
