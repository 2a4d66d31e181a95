import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ConnectionPool, openPool } from './pool.ts'
import { allowedConnections, registerProcess, runningProcesses } from './processes.ts'
import { sql } from './sql.ts'
import { until } from '#http/testing/until.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'processes' })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const gateway = (connections: number) => ({ kind: 'gateway', connections, schema: '0152' }) as const

test('processes: one is known from its start to its end, whatever ends it', async () => {
  const { close } = await registerProcess(database.urls.test, gateway(70))
  expect(await owner.use(runningProcesses)).toEqual([gateway(70)])
  await close()
  await until(async () => (await owner.use(runningProcesses)).length === 0)
})

test('processes: one for whose connections PostgreSQL has no room does not start', async () => {
  const allowed = await owner.use(allowedConnections)
  const first = await registerProcess(database.urls.test, gateway(allowed - 10))
  const asked = registerProcess(database.urls.test, { ...gateway(11), kind: 'worker' }, 0)
  await expect(asked).rejects.toThrow(
    `This process may open 11 connections to PostgreSQL, and the 1 gateways and workers that run may open ${allowed - 10}, but max_connections leaves ${allowed}`,
  )
  // It has left no entry behind, and one that fits starts.
  const second = await registerProcess(database.urls.test, gateway(10), 0)
  expect(await owner.use(runningProcesses)).toEqual([gateway(allowed - 10), gateway(10)])
  await Promise.all([first.close(), second.close()])
})

test('processes: one that replaces another waits for its end', async () => {
  const allowed = await owner.use(allowedConnections)
  const before = await registerProcess(database.urls.test, gateway(allowed))
  const next = registerProcess(database.urls.test, gateway(allowed))
  await before.close()
  const { close } = await next
  await close()
})

test('processes: one that waits for room takes none from another', async () => {
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

test('processes: of eight that start at once, and have room for one, one starts', async () => {
  const allowed = await owner.use(allowedConnections)
  for (let round = 0; round < 5; round++) {
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => registerProcess(database.urls.test, gateway(allowed), 0)),
    )
    const started = all.filter(one => one.status === 'fulfilled')
    expect(started).toHaveLength(1)
    await Promise.all(started.map(({ value }) => value.close()))
  }
})
