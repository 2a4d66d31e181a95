// No timer advances a live case: a year of sandbox time with every timer on leaves a thousand live
// cases unchanged.

import { expect, test } from 'bun:test'
import { workerUrls } from '#database/roles.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, queuedCase } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { advanceBy, openClockWorker } from '../testing/sandbox-clock.ts'

const fixtures = useFixtures()
const count = 1000
const yearSeconds = 365 * 86_400
/** Returns every value of every live case, and how many events and orders exist. */
const livePicture = () =>
  queryAsOwner<{ cases: number; digest: string; events: number; orders: number }>(
    fixtures,
    sql`select count(*)::int as cases,
               md5(string_agg(to_jsonb(c)::text, ',' order by c.id)) as digest,
               (select count(*)::int from live.events) as events,
               (select count(*)::int from live.orders) as orders
          from live.cases c`,
  )

test('a thousand live cases stay unchanged while a year passes in the sandbox', async () => {
  const worker = await openClockWorker(fixtures)
  const { id } = await queuedCase(fixtures, fixtures.ada.live)
  await queryAsOwner(
    fixtures,
    sql`insert into live.cases
        select (jsonb_populate_record(c, jsonb_build_object(
                  'id', ulid('case', c.created_at, public.ulid_random()),
                  'status', (array['queued', 'in_review'])[1 + n % 2]))).*
          from live.cases c, generate_series(2, ${count}::int) n where c.id = ${id}`,
  )
  const before = await livePicture()
  expect(before[0]?.cases).toBe(count)
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 0, ship_after_s: 0 } })
  const { id: own } = await queuedCase(fixtures)
  await advanceBy(fixtures, yearSeconds)
  // The timers were on: they moved the sandbox's own case to its final status.
  const orders = await queryAsOwner(
    fixtures,
    sql`select distinct status from test.orders where "case" = ${own}`,
  )
  expect(orders).toEqual([{ status: 'delivered' }])
  expect(await livePicture()).toEqual(before)
  await worker.stop()
  expect(worker.linesOf('job.failed')).toEqual([])
})

test('the live worker can’t change a case or an order', async () => {
  const pool = openPool({
    url: workerUrls(fixtures.database.urls).live,
    size: 1,
    name: 'worker of live',
    path: 'live, public',
  })
  const change = (statement: ReturnType<typeof sql>) =>
    pool
      .use(connection => connection.run(statement))
      .then(
        () => 'changed',
        (failure: unknown) => String(failure),
      )
  expect(await change(sql`update cases set status = 'approved'`)).toContain('permission denied')
  expect(await change(sql`update orders set status = 'shipped'`)).toContain('permission denied')
  expect(await change(sql`select from test.cases`)).toContain('permission denied')
  await pool.close()
})
