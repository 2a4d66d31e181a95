// A delivery gets its row with its first attempt's result. Until then the delivery is still listed,
// and no failure loses it.

import { afterEach, describe, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { accepted } from '../../jobs/testing/worker.ts'
import { purge } from '../../sandbox/purge.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { runIntoLock } from '../../testing/races.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { withScopes } from '../../testing/with-scopes.ts'
import { claim, type ClaimedDelivery, release } from './claim.ts'
import { clockOf } from './clock.ts'
import { type AttemptResult, record } from './record.ts'
import { dispatchOnce } from './testing/dispatch.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
const clock = clockOf()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const failed: AttemptResult = { ...accepted, succeeded: false, status: 500 }
const free = { all: 9, slow: 9 }
let names = 0
const worker = () => fixtures.workerContext.pools.test
const listen = async (url = 'https://hooks.brand.example/') =>
  (await invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types: ['*'] } })).id
const trigger = async (): Promise<string> =>
  (await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })).id
const listed = async (id: string, query: Record<string, string> = {}) =>
  (await invokeOk(fixtures, 'listDeliveries', { id, query })).data
const rowsOf = (id: string) =>
  queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id from test.deliveries where webhook_endpoint = ${id}`,
  )
const dueOf = (id: string) =>
  queryAsOwner(fixtures, sql`select from test.due_deliveries where webhook_endpoint = ${id}`)
/** Makes every claimed delivery and every waiting retry due. */
const comeDue = () =>
  queryAsOwner(
    fixtures,
    sql`with due as (update test.due_deliveries set due_at = now() - interval '1 second')
        update test.endpoint_queues set next_due = now() - interval '1 second'`,
  )
const recordOne = (claimed: ClaimedDelivery, attempted: AttemptResult) =>
  worker().use(connection => record(connection, clock, [{ claimed, attempted }]))

/** Claims a new event's delivery, as a worker does before sending. */
async function begin(): Promise<ClaimedDelivery> {
  await trigger()
  const { claimed } = await worker().use(connection =>
    dispatchOnce(connection, clock, fixtures.context.realtime.announce('test'), {
      mode: 'test',
      free,
      name: `first ${++names}`,
    }),
  )
  const [only, ...others] = claimed
  if (!only || others.length > 0) throw new Error('expected one claimed delivery')
  return only
}

const take = () =>
  worker().use(connection => claim(connection, 'test', clock, free, `again ${++names}`))
/** Expires the leases, as if their workers had died, and claims again. */
async function claimAgain(): Promise<ClaimedDelivery[]> {
  await comeDue()
  return take()
}

describe('a delivery whose first attempt is under way', () => {
  test('has no row, and is listed where its row will be', async () => {
    const id = await listen()
    const claimed = await begin()
    expect(await rowsOf(id)).toEqual([])
    const [pending] = await listed(id)
    expect(pending).toMatchObject({
      id: claimed.id,
      event: claimed.event,
      status: 'pending',
      attempt: 0,
      error: null,
      next_attempt_at: pending.created_at,
    })
    await invokeOk(fixtures, 'redeliverEvent', { id: claimed.event, body: {} })
    const [first, second] = await listed(id, { status: 'pending' })
    expect(first).toEqual(pending)
    expect(second.id > first.id).toBe(true)
    expect(await listed(id, { status: 'delivered' })).toEqual([])
    expect(await listed(id, { starting_after: first.id })).toEqual([second])
    expect(await recordOne(claimed, accepted)).toEqual(['delivered'])
    const [delivered, still] = await listed(id)
    const result = { status: 'delivered', attempt: 1, next_attempt_at: null }
    expect(delivered).toMatchObject({ ...result, id: first.id, created_at: first.created_at })
    expect(still).toEqual(second)
  })

  test('is retried through its row when the attempt fails', async () => {
    const id = await listen()
    const claimed = await begin()
    expect(await recordOne(claimed, failed)).toEqual(['pending'])
    expect(await rowsOf(id)).toEqual([{ id: claimed.id }])
    expect(await listed(id)).toMatchObject([{ status: 'pending', attempt: 1, http_status: 500 }])
    expect(await take()).toEqual([])
    const [second] = await claimAgain()
    expect(second).toMatchObject({ id: claimed.id, attempt: 1, event: claimed.event })
  })

  test('is sent with the same ID when its worker releases it, or dies', async () => {
    const endpoint = await listen()
    const claimed = await begin()
    await worker().use(connection => release(connection, claimed))
    const [second] = await take()
    const { id, event, body, event_type } = claimed
    expect(second).toMatchObject({ id, event, body, event_type, attempt: 0, claims: 1 })
    const [third] = await claimAgain()
    expect(third).toMatchObject({ id, event, body, event_type, attempt: 0, claims: 2 })
    if (!third) throw new Error('expected a claim after the lease expired')
    expect(await recordOne(claimed, failed)).toEqual([null])
    expect(await recordOne(third, accepted)).toEqual(['delivered'])
    expect(await recordOne(claimed, accepted)).toEqual([null])
    expect(await rowsOf(endpoint)).toEqual([{ id }])
    expect(await dueOf(endpoint)).toEqual([])
  })

  describe('if its next worker records a failure during a late success', () => {
    /** Commits the other worker's failure while recording the late success waits for the due row,
     *  with a snapshot from before the failure. */
    async function recordBeside(recordLate: (late: ClaimedDelivery) => Promise<unknown>) {
      const id = await listen()
      const late = await begin()
      const [since] = await claimAgain()
      if (!since) throw new Error('expected a claim after the lease expired')
      const [found] = await runIntoLock(
        fixtures,
        sql`select from test.due_deliveries for update`,
        [() => recordLate(late)],
        async connection => {
          await connection.run(sql`set local search_path = test, public`)
          await record(connection, clock, [{ claimed: since, attempted: failed }])
        },
      )
      return { id, found }
    }

    test('is delivered', async () => {
      const { id, found } = await recordBeside(late => recordOne(late, accepted))
      expect(found).toEqual(['delivered'])
      expect(await listed(id)).toMatchObject([{ status: 'delivered', attempt: 2 }])
      expect(await dueOf(id)).toEqual([])
    })

    test('is retried when the worker of the success dies before its second statement', async () => {
      const { id } = await recordBeside(late =>
        worker()
          .use(connection => {
            let statements = 0
            const dying: Connection = {
              run: statement =>
                statements++ === 0 ? connection.run(statement) : Promise.reject(new Error('dead')),
            }
            return record(dying, clock, [{ claimed: late, attempted: accepted }])
          })
          .catch(() => 'dead'),
      )
      expect(await listed(id)).toMatchObject([{ status: 'pending', attempt: 1 }])
      const [again] = await claimAgain()
      expect(again).toMatchObject({ webhook_endpoint: id, attempt: 1 })
    })
  })

  test('fails when its worker died and its endpoint was disabled or deleted', async () => {
    const id = await listen()
    const [one, other] = [await begin(), await begin()]
    await comeDue()
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    const ended = { status: 'failed', error: 'endpoint_disabled', attempt: 0 }
    expect(await listed(id)).toMatchObject(
      [ended, ended].map((each, at) => ({ ...each, id: [one.id, other.id][at] })),
    )
    expect(await recordOne(one, accepted)).toEqual([null])
    expect(await dueOf(id)).toEqual([])
  })

  test('disappears with the reset sandbox, and isn’t recorded', async () => {
    const id = await listen()
    const claimed = await begin()
    expect(await listed(id)).toHaveLength(1)
    await invokeOk(fixtures, 'resetSandbox')
    expect(await listed(id)).toEqual([])
    await purge(fixtures.workerContext)
    expect(await dueOf(id)).toEqual([])
    expect(await recordOne(claimed, accepted)).toEqual([null])
    expect(await rowsOf(id)).toEqual([])
  })
})

test('a first attempt is also signed with the previous secret, for 24 hours after a rotation', async () => {
  await invokeOk(fixtures, 'rotateWebhookSecret', { id: await listen() })
  const found: boolean[] = []
  for (const left of ['1 minute', '0 minutes']) {
    await queryAsOwner(
      fixtures,
      sql`update test.webhook_endpoints
             set previous_secret_expires_at = now() + ${left}::text::interval`,
    )
    const claimed = await begin()
    found.push(claimed.previous_secret !== null)
    await recordOne(claimed, accepted)
  }
  expect(found).toEqual([true, false])
})

test('a delivery embeds only what its clinic currently grants its integration', async () => {
  const { ada, ben } = fixtures
  await listen()
  await queryAsOwner(fixtures, sql`update test.webhook_endpoints set include_resource = true`)
  const scopes = ['cases:read', 'events:read', 'test:manage']
  await withScopes(fixtures, ada.integration, scopes, async () => {
    for (const [integration, organization, status] of [
      [ada.integration, ada.organization, 'revoked'],
      [ada.integration, ben.organization, 'active'],
      [ben.integration, ada.organization, 'active'],
    ] as const) {
      await queryAsOwner(
        fixtures,
        sql`insert into auth.grants (id, integration, organization, mode, scopes, status)
            values (${`${integration} ${organization}`}, ${integration}, ${organization}, 'test',
                    '{patients:read}', ${status})`,
      )
    }
    const first = await begin()
    expect(first.scopes.toSorted()).toEqual(scopes)
    await recordOne(first, failed)
    expect((await claimAgain()).map(one => one.scopes.toSorted())).toEqual([scopes])
  })
  await queryAsOwner(fixtures, sql`delete from auth.grants where id like '% %'`)
})
