import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { openPeople, peppers, type TestPeople } from '../testing/people.ts'
import { countOutdated, type Peppers } from '../pepper.ts'
import {
  isRecoveryCode,
  newRecoveryCodes,
  replaceRecoveryCodes,
  useRecoveryCode,
} from './recovery-codes.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

const act = { surface: 'oauth', request: 'req_codes', address: null, agent: null } as const

async function codesOf(ring: Peppers = peppers) {
  const { id: person } = await people.addPerson()
  const made = newRecoveryCodes(ring, person, randomBytes)
  await replaceRecoveryCodes(people.pool, person, made, act)
  const use = (code: string, by: Peppers = ring) =>
    useRecoveryCode(people.pool, by, { person, code }, act)
  const left = async () =>
    (
      await people.run(
        sql`select from auth.recovery_codes where person = ${person} and used_at is null`,
      )
    ).length
  return { codes: made.codes, use, left }
}

test('ten codes with 80 random bits each', async () => {
  const { codes, left } = await codesOf()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes)
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  expect(await left()).toBe(10)
})

test('a code may be typed in any format, and an impossible one is recognized', () => {
  for (const typed of ['0ABC-1DEF-2GHJ-3KMN', 'oabc ldef 2ghj 3kmn', '0abc1def2ghj3kmn']) {
    expect(isRecoveryCode(typed)).toBe(true)
  }
  for (const typed of ['123456', '', '0abc-1def-2ghj-3kmu', '0abc-1def-2ghj-3kmn-0']) {
    expect(isRecoveryCode(typed)).toBe(false)
  }
})

test('one of twenty simultaneous uses of a code counts', async () => {
  const { codes, use, left } = await codesOf()
  const all = await Promise.all(Array.from({ length: 20 }, () => use(codes[3] ?? '')))
  expect(all.filter(Boolean)).toHaveLength(1)
  expect(await left()).toBe(9)
})

test('while a pepper is replaced, codes under the older one work and are counted', async () => {
  const { codes, use } = await codesOf(['the older'])
  const count = (...ring: Peppers) => people.pool.use(connection => countOutdated(connection, ring))
  const { older } = await count('the newest', 'the older')
  expect(older).toBeGreaterThanOrEqual(10)
  expect(await use(codes[0] ?? '', ['the newest'])).toBe(false)
  expect(await use(codes[0] ?? '', ['the newest', 'the older'])).toBe(true)
  expect((await count('the newest', 'the older')).older).toBe(older - 1)
})
