import { describe, expect, test } from 'bun:test'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, memberNames } from '../testing/assertions.ts'
import { patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()

/** A Friday at 07:00 in California. */
const at = Date.parse('2026-11-20T15:00:00Z')
const page = (query: Record<string, string>, more: object = {}) =>
  invokeOk(fixtures, 'listSlots', { at, query: { state: 'CA', limit: '100', ...query }, ...more })
const startsOf = (answer: { data: { starts_at: string }[] }) =>
  answer.data.map(slot => slot.starts_at)

describe('listSlots 200', () => {
  test('lists fourteen days of slots from now, with state, time zone, start and end', async () => {
    const { data, has_more } = await page({})
    expect([data.length, has_more]).toEqual([84, false])
    expect(memberNames(data[0])).toEqual(['id', 'state', 'time_zone', 'starts_at', 'ends_at'])
    expect(data[0]).toMatchObject({
      state: 'CA',
      time_zone: 'America/Los_Angeles',
      starts_at: '2026-11-20T17:00:00.000Z',
      ends_at: '2026-11-20T17:30:00.000Z',
    })
    expect(data.at(-1).starts_at).toBe('2026-12-04T02:00:00.000Z')
  })

  test('a from in the past means now, and a slot that has started isn’t listed', async () => {
    const all = await page({})
    expect(await page({ from: '2020-01-01', to: '2026-12-04T15:00:00Z' })).toEqual(all)
    const begun = { at: Date.parse('2026-11-20T17:00:00Z') }
    expect(startsOf(await page({}, begun))[0]).toBe('2026-11-20T18:00:00.000Z')
  })

  test('from is inclusive and to is exclusive, in any UTC offset', async () => {
    const query = { from: '2026-11-24T10:00:00-08:00', to: '2026-11-24T20:00:00+01:00' }
    expect(startsOf(await page(query))).toEqual(['2026-11-24T18:00:00.000Z'])
  })

  test('lists no slot more than 60 days ahead, since it couldn’t be booked', async () => {
    const { data } = await page({ from: '2027-01-18', to: '2027-01-31' })
    expect(data.at(-1).starts_at).toBe('2027-01-19T00:00:00.000Z')
    expect(await page({ from: '2027-02-01', to: '2027-02-05' })).toEqual({
      data: [],
      has_more: false,
    })
  })

  test('a booked slot isn’t listed for its state and integration until the visit ends', async () => {
    const all = await page({})
    const [starts_at = '', ...rest] = startsOf(all)
    const patient = await patientIn(fixtures, 'CA')
    const { id } = await invokeOk(fixtures, 'bookVisit', { at, body: { patient, starts_at } })
    expect(startsOf(await page({}))).toEqual(rest)
    await invokeOk(fixtures, 'startVisit', { id })
    expect(startsOf(await page({}))).toEqual(rest)
    expect(startsOf(await page({ state: 'NV' }))).toEqual([starts_at, ...rest])
    expect(await page({}, { as: fixtures.ben.test })).toEqual(all)
    await invokeOk(fixtures, 'completeVisit', { id })
    expect(await page({})).toEqual(all)
  })

  test('paging skips slots booked in the meantime', async () => {
    const all = await page({ state: 'AZ' })
    const first = await page({ state: 'AZ', limit: '10' })
    expect(first).toEqual({ data: all.data.slice(0, 10), has_more: true })
    const patient = await patientIn(fixtures, 'AZ')
    for (const slot of [all.data[9], all.data[10]]) {
      const { starts_at } = slot
      const options = { at, body: { patient, starts_at } }
      expect((await invoke(fixtures, 'bookVisit', options)).status).toBe(201)
    }
    const next = await page({ state: 'AZ', limit: '5', starting_after: all.data[9].id })
    expect(next.data).toEqual(all.data.slice(11, 16))
  })
})

describe('listSlots 400', () => {
  const faults = (query: Record<string, string>) =>
    expectFaults(fixtures, 'listSlots', { at, query })
  test('a missing state and an unknown state', async () => {
    expect(await faults({})).toEqual([['?state', 'required']])
    expect(await faults({ state: 'PR' })).toEqual([['?state', 'not_in_enum']])
    expect(await faults({ state: 'ca' })).toEqual([['?state', 'not_in_enum']])
  })

  test('a window of more than fourteen days, to the millisecond', async () => {
    const from = '2026-12-01T00:00:00Z'
    await page({ from, to: '2026-12-15T00:00:00.000Z' })
    expect(await faults({ state: 'CA', from, to: '2026-12-15T00:00:00.001Z' })).toEqual([
      ['?to', 'too_large'],
    ])
    expect(await faults({ state: 'CA', to: '2026-12-04T15:00:00.001Z' })).toEqual([
      ['?to', 'too_large'],
    ])
  })

  test('a window that ends before it begins or before now', async () => {
    const from = '2026-12-01T00:00:00Z'
    for (const query of [
      { from, to: from },
      { from, to: '2026-11-30' },
      { to: '2026-11-20T15:00:00Z' },
      { from: '2026-01-01', to: '2026-01-02' },
    ]) {
      expect(await faults({ state: 'CA', ...query })).toEqual([['?to', 'too_small']])
    }
  })
})
