// What stands on one connection falls with it: half of a transaction is never kept.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { SQL } from 'bun'
import { isConnectionLost, isTransient } from './failures.ts'
import { type Connection, ConnectionLost, openPool } from './pool.ts'
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
/** Ends a session, and waits until it is gone. */
const end = (pid: number) => owner`select pg_terminate_backend(${pid}, 10000)`
const halves = async () => [...(await owner`select half from halves order by half`.values())].flat()

/** Asks the database in a process of its own, while this one hears nothing of its connections. */
function unheard(program: string): void {
  const all = `const owner = new Bun.SQL(process.argv[1]); ${program}; process.exit()`
  expect(Bun.spawnSync([process.execPath, '-e', all, database.url]).exitCode).toBe(0)
}
const endUnheard = (pid: number) =>
  unheard(`await owner\`select pg_terminate_backend(${pid}, 10000)\``)

const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((why: unknown) => why)

for (const [how, kill] of [
  ['noticed', end],
  ['not noticed yet', endUnheard],
] as const) {
  test(`a loss that is ${how}: nothing of the transaction is kept, nor anything after it`, async () => {
    const pool = poolOf('half')
    const failures: unknown[] = []
    const work = pool.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`insert into halves values (1)`)
      await kill(await pidOf(connection))
      for (const next of [sql`insert into halves values (2)`, sql`commit`, sql`select 1`]) {
        failures.push(await failureOf(connection.run(next)))
      }
      // Whoever passes over the first failure meets it again.
      await connection.run(sql`insert into halves values (3)`)
    })
    expect(await failureOf(work)).toBeInstanceOf(ConnectionLost)
    expect(failures.map(isConnectionLost)).toEqual([true, true, true])
    expect(failures.every(isTransient)).toBe(true)
    expect(await halves()).toEqual([])
    // The next call has a connection of its own, and nothing is open there.
    const [row] = await pool.use(connection =>
      connection.run<{ whole: boolean }>(sql`select txid_current_if_assigned() is null as whole`),
    )
    expect(row?.whole).toBe(true)
    await pool.close()
  })
}

test('a session that was ended for idling in a transaction counts as lost', async () => {
  const settings = { idle_in_transaction_session_timeout: '1' }
  const pool = openPool({ url: database.url, size: 1, name: 'idler', settings })
  const idling = pool.use(async connection => {
    const pid = await pidOf(connection)
    await connection.run(sql`begin`)
    unheard(`while ((await owner\`select from pg_stat_activity where pid = ${pid}\`).length);`)
    return connection.run(sql`select 1`)
  })
  expect(isConnectionLost(await failureOf(idling))).toBe(true)
  await pool.close()
})

test('a setting of a lost connection is asked of no other', async () => {
  const pool = poolOf('opened')
  const read = pool.use(async connection => {
    await connection.run(sql`select set_config('app.stream', '7', false)`)
    await end(await pidOf(connection))
    return connection.run(sql`select current_setting('app.stream', true) as stream`)
  })
  expect(await failureOf(read)).toBeInstanceOf(ConnectionLost)
  await pool.close()
})

test('a connection that was lost between two calls is made anew for the second', async () => {
  const pool = poolOf('idle')
  const first = await pool.use(pidOf)
  await end(first)
  // One that did not hear of it yet fails as lost, and is called again.
  expect(await pool.use(pidOf).catch(() => pool.use(pidOf))).not.toBe(first)
  await pool.close()
})

test('a prompt whose connection is lost carries out nothing more of what is piped into it', async () => {
  const program = [process.execPath, path.join(import.meta.dir, 'prompt.ts'), '--url', database.url]
  const prompt = Bun.spawn(program, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  prompt.stdin.write('begin;\ninsert into halves values (7);\n')
  prompt.stdin.write("select 'session ' || pg_backend_pid() as pid;\n")
  await prompt.stdin.flush()
  let said = ''
  let pid: string | undefined
  for await (const chunk of prompt.stdout) {
    said += new TextDecoder().decode(chunk)
    if (pid === undefined && (pid = /session (\d+)/.exec(said)?.[1]) !== undefined) {
      await end(Number(pid))
      prompt.stdin.write('insert into halves values (8);\ncommit;\nselect 9 as never;\n')
      await prompt.stdin.end()
    }
  }
  expect(await prompt.exited).toBe(1)
  expect(await new Response(prompt.stderr).text()).toContain('The connection was lost')
  expect(said).not.toContain('never')
  expect(await halves()).toEqual([])
})

test('a migration whose connection is lost is not applied, nor any of it', async () => {
  const text = `create table half_way (id int);
    select pg_terminate_backend(pg_backend_pid()); create table other_half (id int)`
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const migrations = [...readMigrations(), { name: '9100_cut.plane.sql', text, sha256 }]
  const driver = new SQL(database.url, { max: 1 })
  await expect(migrate(driver, undefined, migrations)).rejects.toThrow(
    /9100_cut\.plane\.sql failed/,
  )
  const [left] = await owner`
    select count(*)::int as tables from pg_class where relname in ('half_way', 'other_half')`
  expect(left.tables).toBe(0)
  // Its lock is free again, and the same driver may go on.
  expect(await migrate(driver)).toEqual([])
  await driver.close()
})
