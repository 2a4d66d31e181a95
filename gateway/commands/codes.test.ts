// `npm run admin -- codes`: loads a whole published list, or changes nothing.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { sql } from '#database/sql.ts'

let fixtures: Fixtures
let folder = ''
beforeAll(async () => {
  fixtures = await openFixtures()
  folder = await mkdtemp(path.join(tmpdir(), 'codes-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await fixtures.close()
})

async function codes(...args: string[]) {
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'codes', ...args],
    {
      env: {
        DATABASE_URL: fixtures.database.url,
        DATA_DIR: folder,
        KEY_PEPPER: 'a pepper of an operator who tests',
      },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, problem, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out: out.trim(), problem: problem.trim() }
}

async function file(name: string, lines: readonly string[]): Promise<string> {
  const at = path.join(folder, name)
  await Bun.write(at, `${lines.join('\r\n')}\r\n`)
  return at
}

const loaded = () =>
  queryAsOwner<{ year: number; count: number; first: string }>(
    fixtures,
    sql`select year, count(*)::int as count, min(code || ' ' || title) as first
          from records.diagnosis_codes group by 1 order by 1`,
  )

const numbers = Array.from({ length: 200 }, (_, at) => at)
const codeOf = (at: number) => `E${String(at + 100)}`
const lines = numbers.map(at => `${codeOf(at).padEnd(8)}Synthetic disorder ${at}`)
const first = { year: 2026, count: 200, first: 'E10.0 Synthetic disorder 0' }

test('codes: loads a codes file by its name, and an order file replaces the year’s codes', async () => {
  expect((await codes('list')).out).toStartWith('No codes loaded yet.')
  const given = await codes('load', await file('icd10cm-codes-2026.txt', lines))
  expect([given.problem, given.code]).toEqual(['', 0])
  expect(given.out).toBe(
    'Loaded 200 codes for fiscal year 2026: October 1, 2025 to September 30, 2026.',
  )
  expect(await loaded()).toEqual([first])
  const order = [
    `00001 E10     0 ${'A heading'.padEnd(60)} A heading`,
    `00002 E100    1 ${'Short'.padEnd(60)} Long title`,
  ]
  await codes('load', await file('icd10cm_order_2027.txt', order))
  await codes('load', await file('list.txt', order), '--year=2026')
  const long = { count: 1, first: 'E10.0 Long title' }
  expect(await loaded()).toEqual([
    { year: 2026, ...long },
    { year: 2027, ...long },
  ])
  expect((await codes('list')).out).toBe('2027  1 codes\n2026  1 codes')
})

test('codes: a malformed line, a missing file and an unknown year change nothing', async () => {
  await codes('load', await file('icd10cm-codes-2026.txt', lines))
  const before = await loaded()
  expect(before[0]).toEqual(first)
  const broken = await file('icd10cm-codes-2026.txt', lines.with(150, 'E250'))
  const { code, problem } = await codes('load', broken)
  expect([code, problem]).toEqual([
    1,
    'Line 151 doesn’t belong in an ICD-10-CM codes file. Nothing was changed.',
  ])
  const nameless = await codes('load', await file('codes.txt', lines))
  expect([nameless.code, nameless.problem]).toEqual([
    1,
    'Give the fiscal year, such as --year=2026.',
  ])
  const absent = await codes('load', path.join(folder, 'icd10cm-codes-2029.txt'))
  expect([absent.code, absent.problem.endsWith('doesn’t exist.')]).toEqual([1, true])
  expect((await codes('load')).code).toBe(2)
  expect(await loaded()).toEqual(before)
})
