// The exit codes that release scripts rely on.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { SQL } from 'bun'
import { readMigrations } from '#database/migrate.ts'
import { registerProcess } from '#database/processes.ts'
import { testDatabase, type TestDatabase } from '#database/testing/database.ts'

let database: TestDatabase
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

async function command(...args: string[]) {
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'migrate', ...args],
    {
      env: { DATABASE_URL: database.url },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const text = await new Response(child.stdout).text()
  return { code: await child.exited, text }
}

test('migrate --check: 0 if this version may migrate, 3 if processes must stop first, 1 if never', async () => {
  expect(await command('--check')).toEqual({ code: 0, text: 'Nothing is pending.\n' })
  const [last] = readMigrations().slice(-1)
  const name = last?.name ?? ''
  await owner`delete from public.migrations where name = ${name}`
  const old = { kind: 'gateway', connections: 1, schema: '0001' } as const
  const { close } = await registerProcess(database.urls.test, old)
  const [pending, json] = [await command('--check'), await command('--check', '--json')]
  await close()
  expect(pending.code).toBe(3)
  expect(pending.text).toContain(`pending  ${name}`)
  expect(pending.text).toContain('stop     the gateway whose newest migration is 0001')
  expect([json.code, JSON.parse(json.text).stop]).toEqual([3, [old]])
  // Nothing has changed.
  expect(await owner`select from public.migrations where name = ${name}`).toHaveLength(0)
  await owner`insert into public.migrations (name, sha256) values ('9100_newer.sql', '')`
  expect((await command('--check')).code).toBe(1)
  await owner`delete from public.migrations where name = '9100_newer.sql'`
})

test('migrate --progress: 0 if everything is done, 3 before that, and 1 if a step fails', async () => {
  const done = await command('--progress')
  expect([done.code, /waiting|failing/.test(done.text)]).toEqual([0, false])
  await owner`insert into public.online_jobs (name, kind, of_table)
    values ('9101_x.index', 'index', 'live.cases')`
  expect(await command('--progress')).toEqual({
    code: 3,
    text: expect.stringContaining('waiting  9101_x.index\n'),
  })
  await owner`update public.online_jobs set started_at = now(), failure = '23505'
    where name = '9101_x.index'`
  expect(await command('--progress')).toEqual({
    code: 1,
    text: expect.stringContaining('failing  9101_x.index  SQLSTATE 23505\n'),
  })
  await owner`delete from public.online_jobs where name = '9101_x.index'`
  expect((await command('--sideways')).code).toBe(2)
})
