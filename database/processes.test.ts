import { afterAll, afterEach, beforeAll, expect, jest, test } from 'bun:test'
import { untilPaused } from '#http/testing/pauses.ts'
import { type ConnectionPool, openPool } from './pool.ts'
import {
  admissionLock,
  allowedConnections,
  registerProcess,
  runningProcesses,
} from './processes.ts'
import { sql } from './sql.ts'
import { until } from '#http/testing/until.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'processes' })
})
/** PostgreSQL ends a connection a little after its client closes it. */
const untilListed = (count: number) =>
  until(async () => (await owner.use(runningProcesses)).length === count)
afterEach(async () => {
  jest.useRealTimers()
  await untilListed(0)
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const gateway = (connections: number) => ({ kind: 'gateway', connections, schema: '0152' }) as const

test('processes: each is listed while it runs, however it ends', async () => {
  const { close } = await registerProcess(database.urls.test, gateway(70))
  expect(await owner.use(runningProcesses)).toEqual([gateway(70)])
  await close()
  await untilListed(0)
})

test("processes: another database's processes don't count toward the limit", async () => {
  const allowed = await owner.use(allowedConnections)
  const other = await testDatabase()
  const there = await registerProcess(other.urls.test, gateway(allowed))
  expect(await owner.use(runningProcesses)).toEqual([])
  const here = await registerProcess(database.urls.test, gateway(allowed - 1), 0)
  expect(await owner.use(runningProcesses)).toEqual([gateway(allowed - 1)])
  await Promise.all([there.close(), here.close()])
  await other.close()
})

test('processes: a process that has lost its connection is listed again within fifteen seconds', async () => {
  jest.useFakeTimers()
  const { close } = await registerProcess(database.urls.test, gateway(10))
  await owner.use(connection =>
    connection.run(sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and application_name like 'telehealth %'`),
  )
  expect(await owner.use(runningProcesses)).toEqual([])
  jest.advanceTimersByTime(15_000)
  jest.useRealTimers()
  await untilListed(1)
  // The registered process's connections count again too.
  const allowed = await owner.use(allowedConnections)
  const next = registerProcess(database.urls.test, gateway(allowed - 9), 0)
  await expect(next).rejects.toThrow('This process can open')
  await close()
})

test('processes: two platform versions use the same lock', () => {
  expect(admissionLock).toBe(169_169)
})

test('processes: a process does not start if PostgreSQL has no room for its connections', async () => {
  const allowed = await owner.use(allowedConnections)
  const first = await registerProcess(database.urls.test, gateway(allowed - 10))
  const asked = registerProcess(database.urls.test, { ...gateway(11), kind: 'worker' }, 0)
  await expect(asked).rejects.toThrow(
    `This process can open 11 PostgreSQL connections, and the 1 running gateways and workers ${allowed - 10}, but max_connections allows them ${allowed}`,
  )
  // The refused process left no entry behind, and a process that fits can start.
  const second = await registerProcess(database.urls.test, gateway(10), 0)
  await untilListed(2)
  expect(await owner.use(runningProcesses)).toEqual([gateway(allowed - 10), gateway(10)])
  await Promise.all([first.close(), second.close()])
})

test('processes: a replacement waits for the old process to end', async () => {
  const allowed = await owner.use(allowedConnections)
  const before = await registerProcess(database.urls.test, gateway(allowed))
  const next = registerProcess(database.urls.test, gateway(allowed))
  await before.close()
  const { close } = await next
  await close()
})

test('processes: a process waiting for room doesn’t block others', async () => {
  const allowed = await owner.use(allowedConnections)
  const before = await registerProcess(database.urls.test, gateway(allowed - 10))
  const waiting = registerProcess(database.urls.test, gateway(11))
  const isRefused = () =>
    owner.use(connection =>
      connection.run(sql`
        select from pg_stat_activity
         where datname = current_database() and usename = 'app_test' and state = 'idle'
           and query = 'commit' and application_name like '%11%'`),
    )
  await until(async () => (await isRefused()).length > 0)
  const small = await registerProcess(database.urls.test, gateway(10), 0)
  await before.close()
  await Promise.all([small.close(), (await waiting).close()])
})

test('processes: a replacement keeps waiting if the old process is slow to end', async () => {
  const allowed = await owner.use(allowedConnections)
  const before = await registerProcess(database.urls.test, gateway(allowed))
  let isThere = false
  const next = registerProcess(database.urls.test, gateway(allowed)).finally(() => (isThere = true))
  await untilPaused(250, 4)
  expect(isThere).toBe(false)
  await before.close()
  const { close } = await next
  await close()
})

test('processes: a process that loses its connection while queued is admitted after the others', async () => {
  const waiting = sql`
    select pid from pg_stat_activity a join pg_locks l using (pid)
     where datname = current_database() and l.locktype = 'advisory' and not l.granted`
  await owner.use(async connection => {
    await connection.run(sql`select pg_advisory_lock(${admissionLock}, 0)`)
    const registered = registerProcess(database.urls.test, gateway(10))
    await until(async () => (await connection.run(waiting)).length === 1)
    await connection.run(sql`select pg_terminate_backend(pid) from (${waiting}) w`)
    await until(async () => (await connection.run(waiting)).length === 1)
    await connection.run(sql`select pg_advisory_unlock(${admissionLock}, 0)`)
    const { close } = await registered
    expect(await runningProcesses(connection)).toEqual([gateway(10)])
    await close()
  })
})

test('processes: a process that cannot be registered does not start', async () => {
  const entering = sql`function pg_advisory_lock_shared(integer, integer)`
  await owner.use(connection => connection.run(sql`revoke execute on ${entering} from public`))
  const refused = registerProcess(database.urls.test, gateway(10), 0)
  await expect(refused).rejects.toThrow('permission denied')
  await owner.use(connection => connection.run(sql`grant execute on ${entering} to public`))
})

test('processes: a process with an unresponsive database gives up after its time limit', async () => {
  const nothing = 'postgres://app@127.0.0.1:1/app'
  await expect(registerProcess(nothing, gateway(1), 0)).rejects.toThrow('Failed to connect')
})

test('processes: with room for one process, one of eight simultaneous starts succeeds', async () => {
  const allowed = await owner.use(allowedConnections)
  for (let round = 0; round < 5; round++) {
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => registerProcess(database.urls.test, gateway(allowed), 0)),
    )
    const started = all.filter(one => one.status === 'fulfilled')
    expect(started).toHaveLength(1)
    await Promise.all(started.map(({ value }) => value.close()))
    await untilListed(0)
  }
})
