// ICD-10-CM codes: which list applies, how a search ranks codes, and what a note stores.
import { afterEach, expect, test } from 'bun:test'
import { now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'
import { fiscalYearOf } from './code-list.ts'
import { loadCodes } from './load.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
const year = fiscalYearOf(now())
const codes = Object.entries({
  'A00.0': 'Cholera due to Vibrio cholerae 01, biovar cholerae',
  'D51.0': 'Vitamin B12 deficiency anemia due to intrinsic factor deficiency',
  'E11.00': 'Type 2 diabetes mellitus with hyperosmolarity',
  'E11.65': 'Type 2 diabetes mellitus with hyperglycemia',
  'E11.9': 'Type 2 diabetes mellitus without complications',
  'E66.9': 'Obesity, unspecified',
  'O24.112': 'Pre-existing type 2 diabetes mellitus, in pregnancy, second trimester',
  'Z68.34': 'Body mass index [BMI] 34.0-34.9, adult',
}).map(([code, title]) => ({ code, title }))

const load = (of: number, list = codes) => fixtures.owner.use(owner => loadCodes(owner, of, list))
afterEach(() => queryAsOwner(fixtures, sql`delete from records.diagnosis_codes`))

const nurse = () => staff.hire(['nurse'])
const doctor = () => staff.hire(['clinician'], { states: [rivera.address.state] })

test('a fiscal year starts on October 1 in New York', () => {
  expect(fiscalYearOf(Date.parse('2025-10-01T03:59:59Z'))).toBe(2025)
  expect(fiscalYearOf(Date.parse('2025-10-01T04:00:00Z'))).toBe(2026)
  expect(fiscalYearOf(Date.parse('2026-09-30T12:00:00Z'))).toBe(2026)
})

test('a code is found by its prefix, with or without the dot, and by word prefixes in any order', async () => {
  await load(year)
  const as = await nurse()
  const find = async (q: string) =>
    (await staff.ok('findDiagnoses', { as, query: { q } })).data.map(
      (one: { code: string }) => one.code,
    )
  for (const q of ['e11', 'E11.', 'E11'])
    expect(await find(q)).toEqual(['E11.00', 'E11.65', 'E11.9'])
  for (const q of ['e119', 'E11.9']) expect(await find(q)).toEqual(['E11.9'])
  // Shortest title first.
  const diabetes = ['E11.65', 'E11.00', 'E11.9', 'O24.112']
  for (const q of ['type 2 diab', 'diab 2 type']) expect(await find(q)).toEqual(diabetes)
  expect(await find('pre-existing diab')).toEqual(['O24.112'])
  expect(await find('BMI 34.0')).toEqual(['Z68.34'])
  expect(await find('b12')).toEqual(['D51.0'])
  for (const q of ['type 3', '&|!:*', "'", 'x']) expect(await find(q)).toEqual([])
})

test('at most twenty codes are found', async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    code: `E11.${at + 10}`,
    title: `Type 2 diabetes ${at}`,
  }))
  await load(year, many)
  const as = await nurse()
  for (const q of ['E11', 'diabetes']) {
    expect((await staff.ok('findDiagnoses', { as, query: { q } })).data).toHaveLength(20)
  }
})

test('a note keeps code, title and year, and a nonbillable code is refused with the nearest codes', async () => {
  await load(year)
  const { id } = await queuedCase(fixtures, fixtures.ada.live)
  const as = await doctor()
  const save = (given: string[]) =>
    staff.call('saveCaseNote', { as, id, body: { version: null, body: 'Tired.', codes: given } })
  const title = 'Type 2 diabetes mellitus without complications'
  const kept = [{ code: 'E11.9', title, year }]
  expect((await save(['E11.9'])).body.codes).toEqual(kept)
  const refused = await save(['E66.9', 'E11.67', 'Q99.9'])
  expect([refused.status, refused.code]).toEqual([400, 'invalid_request'])
  expect(refused.body.errors).toMatchObject([
    { pointer: '#/codes/1', code: 'unknown_reference' },
    { pointer: '#/codes/2', code: 'unknown_reference' },
  ])
  const [near, none] = refused.body.errors.map((one: { message: string }) => one.message)
  expect(near).toContain(`in the ICD-10-CM list for ${year}. Nearest: E11.65 (Type 2 diabetes`)
  expect(none).toEndWith(`list for ${year}.`)
  const [draft] = (await staff.ok('readChart', { as, id })).chart.notes
  const signed = { version: draft.updated_at, body: 'Tired.', codes: ['E11.9'] }
  await staff.ok('signCaseNote', { as, id, body: signed })

  await load(year, [{ code: 'E11.9', title: 'Renamed' }])
  const { chart } = await staff.ok('readChart', { as, id })
  expect(chart.code_list).toEqual({ year, is_current: true })
  expect(chart.notes).toMatchObject([{ codes: kept }])
})

test('a future year’s list waits, and a past year’s list finds codes and refuses none', async () => {
  const as = await doctor()
  const { id } = await queuedCase(fixtures, fixtures.ada.live)
  await load(year + 1, [{ code: 'E11.9', title: 'Later' }])
  const find = () => staff.ok('findDiagnoses', { as, query: { q: 'E11' } })
  expect(await find()).toEqual({ list: null, data: [] })
  await load(year - 1, [{ code: 'E11.9', title: 'Before' }])
  expect(await find()).toEqual({
    list: { year: year - 1, is_current: false },
    data: [{ code: 'E11.9', title: 'Before' }],
  })
  const body = { version: null, body: 'Tired.', codes: ['E11.9', 'E66.81'] }
  expect((await staff.ok('saveCaseNote', { as, id, body })).codes).toEqual([
    { code: 'E11.9', title: 'Before', year: year - 1 },
    { code: 'E66.81', title: null, year: null },
  ])
})
