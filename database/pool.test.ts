// Tests the connection pool: a call never continues on a session other than the one it started on,
// and a caller that gave up waiting gets no connection.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { SQL } from 'bun'
import { until } from '#http/testing/until.ts'
import { isConnectionLost, isTransient } from './failures.ts'
import { type Connection, ConnectionLost, openPool, PoolTimeout } from './pool.ts'
import { migrate, readMigrations } from './migrate.ts'
import { sql } from './sql.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  await owner.unsafe('create table halves (half int)')
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const poolOf = (name: string) => openPool({ url: database.url, size: 1, name })
const pidOf = async (connection: Connection) =>
  (await connection.run<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid ?? 0
/** Ends a session, and waits until it's gone. */
const end = (pid: number) => owner`select pg_terminate_backend(${pid}, 10000)`
const halves = async () => [...(await owner`select half from halves order by half`.values())].flat()

/** Runs a program in another process, while this process reads nothing from its connections. */
function meanwhile(program: string): void {
  const all = `const owner = new Bun.SQL(process.argv[1]); ${program}; process.exit()`
  expect(Bun.spawnSync([process.execPath, '-e', all, database.url]).exitCode).toBe(0)
}
const endUnnoticed = (pid: number) =>
  meanwhile(`await owner\`select pg_terminate_backend(${pid}, 10000)\``)

const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((why: unknown) => why)

for (const [how, kill] of [
  ['noticed', end],
  ['not noticed yet', endUnnoticed],
] as const) {
  test(`pool: after a loss that is ${how}, no part of the call's transaction is committed`, async () => {
    const pool = poolOf('half')
    const failures: unknown[] = []
    const work = pool.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`insert into halves values (1)`)
      await kill(await pidOf(connection))
      for (const next of [sql`insert into halves values (2)`, sql`commit`, sql`select 1`]) {
        failures.push(await failureOf(connection.run(next)))
      }
      // Every later statement in the call fails too.
      await connection.run(sql`insert into halves values (3)`)
    })
    expect(await failureOf(work)).toBeInstanceOf(ConnectionLost)
    expect(failures.map(isConnectionLost)).toEqual([true, true, true])
    expect(failures.every(isTransient)).toBe(true)
    expect(await halves()).toEqual([])
    // The next call gets another connection, without an open transaction.
    const [row] = await pool.use(connection =>
      connection.run<{ whole: boolean }>(sql`select txid_current_if_assigned() is null as whole`),
    )
    expect(row?.whole).toBe(true)
    await pool.close()
  })
}

test('pool: a session that the server ended for idling in a transaction counts as lost', async () => {
  const settings = { idle_in_transaction_session_timeout: '1' }
  const pool = openPool({ url: database.url, size: 1, name: 'idler', settings })
  const idling = pool.use(async connection => {
    const pid = await pidOf(connection)
    await connection.run(sql`begin`)
    meanwhile(`while ((await owner\`select from pg_stat_activity where pid = ${pid}\`).length);`)
    return connection.run(sql`select 1`)
  })
  expect(isConnectionLost(await failureOf(idling))).toBe(true)
  await pool.close()
})

test('pool: a lost connection’s setting is not read from another connection', async () => {
  const pool = poolOf('opened')
  const read = pool.use(async connection => {
    await connection.run(sql`select set_config('app.tenant', '7', false)`)
    await end(await pidOf(connection))
    return connection.run(sql`select current_setting('app.tenant', true) as tenant`)
  })
  expect(await failureOf(read)).toBeInstanceOf(ConnectionLost)
  await pool.close()
})

test('pool: replaces a connection that was lost between two calls', async () => {
  const pool = poolOf('idle')
  const first = await pool.use(pidOf)
  await end(first)
  // If the driver hasn't noticed the loss yet, the call fails with a lost connection and is
  // repeated.
  expect(await pool.use(pidOf).catch(() => pool.use(pidOf))).not.toBe(first)
  await pool.close()
})

test('pool: keeps a connection on which a statement failed', async () => {
  const pool = poolOf('kept')
  const first = await pool.use(pidOf)
  const failed = await failureOf(pool.use(connection => connection.run(sql`select 1 / 0`)))
  expect([failed, isConnectionLost(failed)]).toEqual([expect.any(SQL.PostgresError), false])
  expect(await pool.use(pidOf)).toBe(first)
  await pool.close()
})

test('pool: a caller that times out leaves the queue, and the next caller gets the connection', async () => {
  const pool = openPool({ url: database.url, size: 1, name: 'queue', waitSeconds: 0.1 })
  const held = Promise.withResolvers<void>()
  const holding = pool.use(() => held.promise)
  let began = false
  const timedOut = pool.use(async () => {
    began = true
  })
  // Next in the queue. The connection is free again before this call times out as well.
  const next = pool.use(pidOf)
  expect(await failureOf(timedOut)).toBeInstanceOf(PoolTimeout)
  held.resolve()
  await holding
  expect(await next).toBeGreaterThan(0)
  expect(await pool.use(pidOf)).toBeGreaterThan(0)
  expect(began).toBe(false)
  await pool.close()
})

test('pool: a caller waits for as long as the pool allows', async () => {
  const pool = openPool({ url: database.url, size: 1, name: 'patient', waitSeconds: 0.5 })
  const held = Promise.withResolvers<void>()
  const holding = pool.use(() => held.promise)
  const began = performance.now()
  expect(await failureOf(pool.use(pidOf))).toBeInstanceOf(PoolTimeout)
  expect(performance.now() - began).toBeGreaterThanOrEqual(499)
  held.resolve()
  await holding
  await pool.close()
})

test('pool: a call’s simultaneous statements run in its one session, and are counted', async () => {
  const pool = poolOf('at once')
  expect(pool.roundTrips()).toBe(0)
  const pids = await pool.use(connection => Promise.all([1, 2, 3].map(() => pidOf(connection))))
  expect([new Set(pids).size, pool.roundTrips()]).toEqual([1, 3])
  await pool.close()
})

test('pool: has no sessions once closed', async () => {
  const pool = openPool({ url: database.url, size: 2, name: 'closed' })
  await Promise.all([pool.use(pidOf), pool.use(pidOf)])
  const sessions = async () =>
    (await owner`select from pg_stat_activity where application_name = 'closed'`).length
  expect(await sessions()).toBe(2)
  await pool.close()
  // The server ends a session after its connection is closed.
  await until(async () => (await sessions()) === 0)
  for (let times = 0; times < 3; times++) {
    const failure: unknown = await pool.use(pidOf).catch((failed: unknown) => failed)
    expect(isConnectionLost(failure)).toBe(true)
  }
  expect(await sessions()).toBe(0)
})

test('pool: serves waiting callers in order of arrival', async () => {
  const pool = poolOf('order')
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map(n => pool.use(async () => void order.push(n))))
  expect(order).toEqual([1, 2, 3, 4])
  await pool.close()
})

test('pool: prefers the connection on which the tenant is set', async () => {
  const pool = openPool({ url: database.url, size: 3, name: 'affinity' })
  const mark = (tenant: string) =>
    pool.use(async connection => {
      connection.tenant = tenant
      return pidOf(connection)
    })
  const pids = [await mark('1'), await mark('2'), await mark('3')]
  expect(new Set(pids).size).toBe(3)
  for (const tenant of ['2', '1', '3', '1']) {
    expect(await pool.use(pidOf, tenant)).toBe(pids[Number(tenant) - 1] ?? 0)
  }
  await pool.close()
})

test('pool: a call without a tenant gets the connection that the last such call used', async () => {
  const pool = openPool({ url: database.url, size: 3, name: 'warm' })
  const [one, other] = await Promise.all([pool.use(pidOf), pool.use(pidOf)])
  expect(one).not.toBe(other)
  const pids = [await pool.use(pidOf), await pool.use(pidOf), await pool.use(pidOf)]
  expect(new Set(pids).size).toBe(1)
  await pool.close()
})

test('prompt: stops running its input after its connection is lost', async () => {
  const program = path.join(import.meta.dir, '../gateway/commands/admin.ts')
  const env = { ...process.env, DATABASE_URL: database.url }
  const pipes = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
  const prompt = Bun.spawn([process.execPath, program, 'sql'], { env, ...pipes })
  await prompt.stdin.write('begin;\ninsert into halves values (7);\n')
  await prompt.stdin.write("select 'session ' || pg_backend_pid() as pid;\n")
  await prompt.stdin.flush()
  let output = ''
  let pid: string | undefined
  for await (const chunk of prompt.stdout) {
    output += new TextDecoder().decode(chunk)
    if (pid === undefined && (pid = /session (\d+)/.exec(output)?.[1]) !== undefined) {
      await end(Number(pid))
      await prompt.stdin.write('insert into halves values (8);\ncommit;\nselect 9 as never;\n')
      await prompt.stdin.end()
    }
  }
  expect(await prompt.exited).toBe(1)
  expect(await new Response(prompt.stderr).text()).toContain('The connection was lost')
  expect(output).not.toContain('never')
  expect(await halves()).toEqual([])
})

test('migrate: keeps no changes from a migration that loses its connection', async () => {
  const text = `create table half_way (id int);
    select pg_terminate_backend(pg_backend_pid()); create table other_half (id int)`
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const migrations = [...readMigrations(), { name: '9100_cut.mode.sql', text, sha256 }]
  const driver = new SQL(database.url, { max: 1 })
  await expect(migrate(driver, undefined, migrations)).rejects.toThrow(/9100_cut\.mode\.sql failed/)
  const [left] = await owner`
    select count(*)::int as tables from pg_class where relname in ('half_way', 'other_half')`
  expect(left.tables).toBe(0)
  // The migration's lock is free again, and the same driver can continue.
  expect(await migrate(driver)).toEqual([])
  await driver.close()
})

test('pool: a caller that gets its tenant’s connection gets only that one', async () => {
  const pool = openPool({ url: database.url, size: 3, name: 'all of them' })
  const together = () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let open = 0
    const hold = async (connection: Connection) => {
      connection.tenant = String(++open)
      if (open === 3) end()
      await isOver
    }
    return Promise.all([1, 2, 3].map(() => pool.use(hold)))
  }
  await together()
  await pool.use(pidOf, '1')
  // Three simultaneous callers get one connection each.
  expect(await together()).toHaveLength(3)
  await pool.close()
})
