// Projecting the audit into the request log: every call appears exactly once, no matter in which
// order transactions end, how many workers run, or where a worker dies.

import { afterEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { newRequestId } from '#http/http-request.ts'
import { idOf } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { type CallOptions, invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { projectAll } from '../testing/requests.ts'
import { countWaiting } from '../testing/races.ts'
import { projectRequests, requestJobs } from './project.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const find = (id: string, options: CallOptions = {}) =>
  invoke(fixtures, 'getRequest', { ...options, id })
const countOf = async (ids: readonly string[]): Promise<number[]> =>
  (
    await queryAsOwner<{ count: number }>(
      fixtures,
      sql`select count(r.id)::int as count
            from unnest(${ids}::text[]) with ordinality as x (id, n)
            left join test.requests r on r.id = x.id group by x.n order by x.n`,
    )
  ).map(({ count }) => count)

/** Makes a call, and returns its request ID. */
async function call(): Promise<string> {
  const id = newRequestId()
  await invokeOk(fixtures, 'listPatients', { request: id })
  return id
}

/** The audit row of a call, inserted by a transaction in the test. */
const auditRow = (id: string, at: Statement = sql`clock_timestamp()`): Statement => sql`
  insert into audit.entries (at, mode, integration, organization, actor, surface, action, outcome,
                             status, request)
  values (${at}, 'test', ${fixtures.ada.integration}, ${fixtures.ada.organization},
          ${fixtures.ada.testKey}, 'rest', 'listPatients', 'ok', 200, ${id})`

describe('request log: a call', () => {
  test('a write has its operation, route, target, status, key and organization', async () => {
    const id = newRequestId()
    const { id: patient } = await invokeOk(fixtures, 'createPatient', { body: rivera, request: id })
    await projectAll(fixtures)
    const { body: sent, events, deliveries, ...body } = (await find(id)).body
    const { credential } = body
    expect([sent, events, deliveries]).not.toContain(null)
    expect(body).toEqual({
      id,
      created_at: expect.any(String),
      mode: 'test',
      organization: fixtures.ada.organization,
      credential: { id: fixtures.ada.testKey, name: 'test', last4: fixtures.ada.test.slice(-4) },
      surface: 'rest',
      operation: 'createPatient',
      method: 'POST',
      path: '/v1/patients',
      target: patient,
      status: 201,
      code: null,
      replayed: false,
      duration_ms: expect.any(Number),
    })
    expect(credential.last4).toHaveLength(4)
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect(body.duration_ms).toBeLessThan(60_000)
  })

  test('a call that returned its idempotency record is marked as replayed', async () => {
    const [first, again] = [newRequestId(), newRequestId()]
    for (const request of [first, again])
      await invokeOk(fixtures, 'createPatient', { body: rivera, key: 'twice', request })
    await projectAll(fixtures)
    expect([(await find(first)).body.replayed, (await find(again)).body.replayed]).toEqual([
      false,
      true,
    ])
  })

  test('a refused call has its code', async () => {
    const [missing, invalid] = [newRequestId(), newRequestId()]
    await invoke(fixtures, 'getPatient', { id: unknownId('pat'), request: missing })
    await invoke(fixtures, 'createPatient', { body: { first_name: 7 }, request: invalid })
    await projectAll(fixtures)
    expect((await find(missing)).body).toMatchObject({ status: 404, code: 'not_found' })
    expect((await find(invalid)).body).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('to the log itself is in the log', async () => {
    const request = newRequestId()
    await invokeOk(fixtures, 'listRequests', { request })
    await projectAll(fixtures)
    expect((await find(request)).body).toMatchObject({
      operation: 'listRequests',
      path: '/preview/requests',
    })
  })

  test('without a valid credential is in no log', async () => {
    const request = newRequestId()
    await invoke(fixtures, 'listPatients', { as: 'svc_sk_test_unknown', request })
    await projectAll(fixtures)
    expect(await countOf([request])).toEqual([0])
  })

  test('from another integration, mode or organization isn’t found', async () => {
    const [mine, live, elsewhere, nowhere] = [
      await call(),
      newRequestId(),
      newRequestId(),
      newRequestId(),
    ]
    await invokeOk(fixtures, 'listPatients', { as: fixtures.ada.live, request: live })
    await queryAsOwner(fixtures, auditRow(elsewhere))
    await projectAll(fixtures)
    const other = { organization: sql`'org_elsewhere'`, none: sql`null` }
    await queryAsOwner(
      fixtures,
      sql`update test.requests set organization = ${other.organization} where id = ${elsewhere}`,
    )
    expect((await find(mine)).status).toBe(200)
    expect((await find(mine, { as: fixtures.ben.test })).code).toBe('not_found')
    expect((await find(mine, { as: fixtures.ada.live })).code).toBe('not_found')
    expect((await find(live)).code).toBe('not_found')
    expect((await find(live, { as: fixtures.ada.live })).body.mode).toBe('live')
    expect((await find(elsewhere)).code).toBe('not_found')
    // This call was refused before its organization was known, so it belongs to the integration.
    await invoke(fixtures, 'listPatients', { organization: unknownId('org'), request: nowhere })
    await projectAll(fixtures)
    expect((await find(nowhere)).body).toMatchObject({
      organization: null,
      code: 'organization_not_granted',
    })
  })
})

describe('request log: every call appears once', () => {
  test('even if its transaction ends after ones that began later', async () => {
    const late = newRequestId()
    await using slow = new SQL(fixtures.database.url, { max: 1 })
    const session = await slow.reserve()
    await session`begin`
    const { text, values } = auditRow(late)
    await session.unsafe(text, [...values])
    const quick = [await call(), await call()]
    // Calls after an open transaction wait for it to end, because transactions are projected
    // without a gap.
    await projectRequests(fixtures.workerContext)
    expect(await countOf([late, ...quick])).toEqual([0, 0, 0])
    await session`commit`
    await session.release()
    await projectAll(fixtures)
    expect(await countOf([late, ...quick])).toEqual([1, 1, 1])
    const more = await call()
    await projectAll(fixtures)
    expect(await countOf([late, ...quick, more])).toEqual([1, 1, 1, 1])
  })

  test('even with many more calls than one batch, some in one transaction', async () => {
    const ids = Array.from({ length: 5000 }, newRequestId)
    const insert = (some: readonly string[]) =>
      queryAsOwner(
        fixtures,
        sql`insert into audit.entries (mode, integration, organization, surface, action, outcome,
                                       status, request)
            select 'test', ${fixtures.ada.integration}, ${fixtures.ada.organization}, 'rest',
                   'listPatients', 'ok', 200, id from unnest(${some}::text[]) as id`,
      )
    await insert(ids.slice(0, 2500))
    for (let at = 2500; at < ids.length; at += 10) await insert(ids.slice(at, at + 10))
    await projectAll(fixtures)
    expect((await countOf(ids)).filter(count => count !== 1)).toEqual([])
  })

  test('with two workers: while one projects, the other does nothing', async () => {
    const ids = [await call(), await call()]
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`select from test.request_log for update`)
      expect(await projectRequests(fixtures.workerContext, ['test'])).toBe(0)
      await connection.run(sql`commit`)
    })
    await Promise.all([projectAll(fixtures), projectAll(fixtures)])
    expect(await countOf(ids)).toEqual([1, 1])
  })

  test('when a worker dies between reading the audit and committing', async () => {
    await projectAll(fixtures)
    const ids = [await call(), await call()]
    const dying = fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      // The worker has read the audit, but can't write what it read.
      await connection.run(sql`lock table test.requests in share mode`)
      const run = projectRequests(fixtures.workerContext, ['test']).catch(() => 'died')
      await until(async () => (await countWaiting(fixtures)) > 0)
      await connection.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      expect(await run).toBe('died')
      await connection.run(sql`commit`)
    })
    await dying
    expect(await countOf(ids)).toEqual([0, 0])
    await projectAll(fixtures)
    expect(await countOf(ids)).toEqual([1, 1])
  })
})

describe('request log: thirty days', () => {
  const day = 86_400_000
  const partitions = async (): Promise<string[]> =>
    (
      await queryAsOwner<{ name: string }>(
        fixtures,
        sql`select relname as name from pg_inherits join pg_class on oid = inhrelid
             where inhparent = 'test.requests'::regclass order by 1`,
      )
    ).map(({ name }) => name)
  const nameOf = (at: number) =>
    `requests_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`
  const idAt = (at: number) => idOf('request', at, newRequestId().slice(-16))

  test('a call from a day without a worker gets a partition; a call older than the log doesn’t', async () => {
    const [missed, ancient] = [idAt(Date.now() - 12 * day), idAt(Date.now() - 40 * day)]
    for (const id of [missed, ancient]) await queryAsOwner(fixtures, auditRow(id))
    await projectAll(fixtures)
    expect(await countOf([missed, ancient])).toEqual([1, 0])
    expect(await partitions()).toContain(nameOf(Date.now() - 12 * day))
  })

  test('an expired day is hidden immediately, its partition is dropped, and tomorrow’s exists in advance', async () => {
    const old = Date.now() - 31 * day
    const [hidden, kept] = [
      idAt(Date.now() - 30 * day - 60_000),
      idAt(Date.now() - 30 * day + 60_000),
    ]
    for (const at of [old, old + day])
      await queryAsOwner(
        fixtures,
        sql`select test.create_request_partition(${new Date(at).toISOString()}::timestamptz::date)`,
      )
    for (const id of [hidden, kept]) await queryAsOwner(fixtures, auditRow(id))
    await projectAll(fixtures)
    const oldest = async () =>
      (
        await queryAsOwner<{ days: number }>(
          fixtures,
          sql`select extract(day from now() - min(hour))::int as days from test.request_counts`,
        )
      )[0]?.days
    expect(await oldest()).toBe(30)
    expect((await find(hidden)).code).toBe('not_found')
    expect((await find(kept)).status).toBe(200)
    const keep = requestJobs.find(({ name }) => name === 'requests.keep')
    await keep?.run(fixtures.workerContext, ['test', 'live'], () => null)
    const names = await partitions()
    expect(names).not.toContain(nameOf(old))
    expect(names).toContain(nameOf(old + day))
    expect(names).toContain(nameOf(Date.now() + day))
    expect(await oldest()).toBeLessThan(30)
  })
})
