// `npm run admin -- sql`: its output, and how it finds the database on its own.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const program = [
  process.execPath,
  path.join(import.meta.dir, '../gateway/commands/admin.ts'),
  'sql',
]
const settings = () => ({ ...process.env, DATABASE_URL: database.url })

async function prompt(own: Record<string, string>, ...args: string[]) {
  const env = { ...settings(), ...own }
  const child = Bun.spawn([...program, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, out: out ?? '', problem: problem ?? '' }
}
const answerTo = async (statement: string) => (await prompt({}, statement)).out.trim().split('\n')

test('prompt: a table shows its column names, its rows and the row count', async () => {
  const answer = await answerTo(`
    select 1 as n, null as nothing, timestamptz '2026-01-02T03:04:05Z' as at,
           '{"a": [1]}'::jsonb as json, E'two\\nlines' as text`)
  expect(answer.map(line => line.trim())).toEqual([
    'n │ nothing │ at                       │ json      │ text',
    '──┼─────────┼──────────────────────────┼───────────┼──────────',
    '1 │         │ 2026-01-02T03:04:05.000Z │ {"a":[1]} │ two lines',
    '(1 row)',
  ])
  expect((await answerTo('select * from generate_series(1, 2)')).at(-1)).toBe('(2 rows)')
  expect(await prompt({}, 'select where false')).toEqual({
    code: 0,
    out: '(no rows)\n',
    problem: '',
  })
})

async function piped(text: string) {
  const stdin = new Blob([text])
  const child = Bun.spawn(program, { env: settings(), stdin, stdout: 'pipe', stderr: 'pipe' })
  const [out = '', problem] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  const lines = out.split('\n').map(line => line.trim())
  return { code: await child.exited, out: lines.join('|'), problem }
}

test('prompt: piped statements run one by one, each once it is complete', async () => {
  expect(await piped('select 1\nas one;\n\nselect 2 as two;\n\\q\nselect 3;\n')).toEqual({
    code: 0,
    out: 'one|───|1|(1 row)|two|───|2|(1 row)|',
    problem: '',
  })
})

test('prompt: a piped statement without a semicolon doesn’t run, and it exits with 1', async () => {
  expect(await piped('select 1 as one;\nselect 2\nas two')).toEqual({
    code: 1,
    out: 'one|───|1|(1 row)|',
    problem: "This didn't run, because it doesn't end with a semicolon: select 2\nas two\n",
  })
})

test('prompt: after a failed piped statement, the others run, and it exits with 1', async () => {
  expect(await piped('\\d nothing\nselect 2 as two;\n')).toEqual({
    code: 1,
    out: 'two|───|2|(1 row)|',
    problem: 'relation "nothing" does not exist (42P01)\n\\dt lists the tables.\n',
  })
})

test('prompt: a statement without rows prints its command and how many rows it changed', async () => {
  const table = 'create temporary table one as select 1 as n'
  const changed = 'update one set n = 2; delete from one where n = 3; vacuum public.backups'
  expect((await answerTo(table)).join()).toMatch(/^SELECT 1$/)
  expect(await piped(`${table};\n${changed.replaceAll('; ', ';\n')};\n`)).toEqual({
    code: 0,
    out: 'SELECT 1|UPDATE 1|DELETE 0|VACUUM|',
    problem: '',
  })
})

test('prompt: in a terminal, it lists the commands and marks an incomplete statement', async () => {
  let shown = ''
  const child = Bun.spawn(program, {
    env: settings(),
    terminal: { data: (_, bytes) => void (shown += Buffer.from(bytes).toString()) },
  })
  const typed = async (line: string, answer: string) => {
    const before = shown.length
    child.terminal?.write(`${line}\r`)
    await until(() => shown.slice(before).includes(answer))
  }
  await until(() => shown.includes('app> '))
  expect(shown).toContain('A statement ends with a semicolon.')
  await typed('', 'app> ')
  await typed('select 1', '   ... ')
  await typed('as one;', 'app> ')
  expect(shown).toContain('(1 row)')
  child.terminal?.write('exit\r')
  expect(await child.exited).toBe(0)
  child.terminal?.close()
})

test('prompt: after a lost connection, it sends nothing more and exits with 1', async () => {
  const stdin = new Blob(['select pg_terminate_backend(pg_backend_pid());\nselect 3 as three;\n'])
  const child = Bun.spawn(program, { env: settings(), stdin, stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(await child.exited).toBe(1)
  expect(out).not.toContain('three')
  expect(problem).toContain('its transaction was rolled back. Start the prompt again.')
})

test('prompt: each statement on one line gets its own table', async () => {
  const answer = await answerTo('select 1 as one; select 2 as two')
  expect(answer.map(line => line.trim())).toEqual([
    'one',
    '───',
    '1',
    '(1 row)',
    'two',
    '───',
    '2',
    '(1 row)',
  ])
})

test('prompt: a value longer than 60 characters is truncated', async () => {
  const [, , whole, cut] = await answerTo(
    "select repeat('x', n) as x from generate_series(60, 61) n",
  )
  expect([whole, cut]).toEqual(['x'.repeat(60), `${'x'.repeat(59)}…`])
})

test('prompt: lists the tables, and describes a table’s columns, however its name is written', async () => {
  const tables = await answerTo('\\dt')
  expect(tables[0]?.split('│').map(name => name.trim())).toEqual([
    'schema',
    'table',
    'rows_about',
    'size',
  ])
  const named = tables.map(line =>
    line
      .split('│', 2)
      .map(cell => cell.trim())
      .join('.'),
  )
  for (const table of ['auth.credentials', 'live.patients', 'test.patients']) {
    expect(named.filter(one => one === table)).toEqual([table])
  }
  expect(named.filter(one => /^(pg_|information_schema)/.test(one))).toEqual([])
  // Sizes change while the test runs.
  const namesOf = (lines: string[]) => lines.map(line => line.split('│', 2).join('│'))
  for (const same of ['\\dt;', '  \\d  ', '\\d;']) {
    expect(namesOf(await answerTo(same))).toEqual(namesOf(tables))
  }
  const rows = (await answerTo('\\d audit.heads;')).slice(2)
  const own = await answerTo(`select attname from pg_attribute
    where attrelid = 'audit.heads'::regclass and attnum > 0 and not attisdropped order by attnum`)
  const columns = rows.map(line => line.split('│')[0]?.trim())
  expect(columns).toEqual(own.slice(2).map(line => line.trim()))
})

test('prompt: an error about a table without its schema suggests the full name', async () => {
  const fails = async (statement: string) => (await prompt({}, statement)).problem
  expect(await fails('select 1 from patients')).toBe(
    'relation "patients" does not exist (42P01)\nWrite live.patients or test.patients.\n',
  )
  expect(await fails('select 1 from live.credentials')).toEndWith('\nWrite auth.credentials.\n')
  expect(await fails('select 1 from patience')).toEndWith('\n\\dt lists the tables.\n')
  expect(await fails('select nothing')).not.toContain('lists the tables')
})

test('prompt: without DATABASE_URL, it uses the data directory’s database', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'prompt-'))
  const ask = () => prompt({ DATA_DIR: dir, DATABASE_URL: '' }, 'select current_user')
  expect(await ask()).toMatchObject({
    code: 1,
    problem: `There is no database in ${dir} yet. Run npm start, or set DATABASE_URL.\n`,
  })
  writeFileSync(path.join(dir, 'secrets.json'), '{"databasePassword": "wrong"}')
  writeFileSync(path.join(dir, 'postgres.port'), new URL(database.url).port)
  const refused = /^The database does not respond: .*\n$/
  expect(await ask()).toMatchObject({ code: 1, out: '', problem: expect.stringMatching(refused) })
  rmSync(dir, { recursive: true })
})
