// Operations on the clock. No worker runs here, so an advance doesn't start.

import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectRefused } from '../testing/assertions.ts'
import { runIntoLock } from '../testing/races.ts'

const fixtures = useFixtures({ poolSize: 16 })
const day = 86_400
/** In seconds: less than any advance, and more than any test takes. */
const hour = 3_600
const set = (body: object) => invokeOk(fixtures, 'setTestClock', { body })
const get = (as = fixtures.ada.test) => invokeOk(fixtures, 'getTestClock', { as })
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const secondsUntil = (moment: string) => (Date.parse(moment) - Date.now()) / 1000

afterEach(() => set({ resume: true }))

describe('getTestClock 200', () => {
  test('is real time until it is advanced', async () => {
    const { now, ...clock } = await get()
    expect(Math.abs(secondsUntil(now))).toBeLessThan(hour)
    expect(clock).toEqual({ ahead_s: 0, is_advancing: false, target: null })
  })
})

describe('setTestClock 200', () => {
  test('sets a target in seconds or as a time; the other sandbox has none', async () => {
    const by = await set({ advance_by_s: 3 * day })
    expect(secondsUntil(by.target)).toBeGreaterThan(3 * day - hour)
    expect(by).toMatchObject({ ahead_s: 0, is_advancing: true })
    expect(await get()).toMatchObject({ target: by.target, is_advancing: true })
    expect(await get(fixtures.ben.test)).toMatchObject({ target: null, is_advancing: false })
    const set_to = later(4 * day * 1000)
    expect((await set({ set_to })).target).toBe(set_to)
  })

  test('a second advance extends a running one', async () => {
    const { target } = await set({ advance_by_s: day })
    const extended = await set({ advance_by_s: 60 })
    expect(Date.parse(extended.target) - Date.parse(target)).toBe(60_000)
  })

  test('ten concurrent advances extend each other, and none is lost', async () => {
    const lock = sql`select from test.tenants for update`
    const bodies = Array.from({ length: 10 }, () => ({ advance_by_s: day }))
    const clocks = await runIntoLock(
      fixtures,
      lock,
      bodies.map(body => () => set(body)),
    )
    expect(new Set(clocks.map(clock => clock.target)).size).toBe(10)
    const last = clocks
      .map(clock => clock.target)
      .toSorted()
      .at(-1)
    expect(secondsUntil(last)).toBeGreaterThan(10 * day - hour)
    expect((await get()).target).toBe(last)
  })

  test('resume ends a running advance, and changes nothing without one', async () => {
    await set({ advance_by_s: day })
    for (let times = 0; times < 2; times++) {
      expect(await set({ resume: true })).toMatchObject({ target: null, is_advancing: false })
    }
    expect(await get()).toMatchObject({ target: null, is_advancing: false })
  })
})

describe('setTestClock 400', () => {
  const year = 365 * day
  test.each([
    [{}, '#', 'required'],
    [{ advance_by_s: 1, resume: true }, '#', 'not_allowed'],
    [{ advance_by_s: 0 }, '#/advance_by_s', 'too_small'],
    [{ advance_by_s: year + 1 }, '#/advance_by_s', 'too_large'],
    [{ advance_by_s: 1.5 }, '#/advance_by_s', 'wrong_type'],
    [{ set_to: 'tomorrow' }, '#/set_to', 'invalid_format'],
    [{ set_to: later(-1000) }, '#/set_to', 'too_small'],
    [{ set_to: later((year + 60) * 1000) }, '#/set_to', 'too_large'],
    [{ resume: false }, '#/resume', 'not_allowed'],
  ])('%j', async (body, pointer, code) => {
    const options = { body }
    const { body: refused } = await expectRefused(
      fixtures,
      'setTestClock',
      'invalid_request',
      options,
    )
    expect(refused.errors).toMatchObject([{ pointer, code }])
  })

  test('a time before the target of a running advance', async () => {
    await set({ advance_by_s: day })
    const body = { set_to: later(day * 500) }
    const { body: refused } = await expectRefused(fixtures, 'setTestClock', 'invalid_request', {
      body,
    })
    expect(refused.errors).toMatchObject([{ pointer: '#/set_to', code: 'too_small' }])
  })

  test('further than ten years ahead of real time', async () => {
    for (let years = 1; years < 10; years++) await set({ advance_by_s: year })
    await set({ advance_by_s: year - 60 })
    const options = { body: { advance_by_s: 3600 } }
    const { body } = await expectRefused(fixtures, 'setTestClock', 'invalid_request', options)
    expect(body.errors).toMatchObject([{ pointer: '#/advance_by_s', code: 'too_large' }])
  })
})

test('the clock has no operation in live mode', async () => {
  const as = fixtures.ada.live
  expect((await invoke(fixtures, 'getTestClock', { as })).code).toBe('forbidden')
  const options = { as, body: { advance_by_s: 60 } }
  expect((await invoke(fixtures, 'setTestClock', options)).code).toBe('forbidden')
})
