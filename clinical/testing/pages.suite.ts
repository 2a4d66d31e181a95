// Rules for every list: items ascend by ID, each item appears exactly once at any page size, a
// cursor is a position and not a row, and an invalid limit is refused rather than clamped.

import { expect, test } from 'bun:test'
import { type CallableId, callable } from '#contract/callable.ts'
import { idPattern, type Prefix, prefixes } from '#contract/ids.ts'
import { invoke, type CallOptions, invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { faultsOf, expectRefusals } from './sweep.ts'

type Item = Record<string, unknown>
type Query = Record<string, string>
type PageCall = Omit<CallOptions, 'query'> & { query?: Query }

/** A list with enough rows, a way to add one, and what its filters must match. */
export type Listing = {
  /** The minimum number of items; defaults to 20. */
  least?: number
  /** The call, with Ada's key; its parameters are sent with every page. */
  options: PageCall
  /** The same call for a list without items; absent if that is impossible. */
  empty?: PageCall
  /** Adds an item at the end; absent if no item can be added. */
  more?: () => Promise<unknown>
  filters: readonly { query: Query; holds: (item: Item) => boolean }[]
  /** The same list in Ben's tenant; absent if all tenants share the list. */
  theirs?: PageCall
}

/** Returns an item's ID; a medication's ID has another field name. */
const idOfItem = (item: Item): string => String(item['id'] ?? item['medication_id'])

/** Returns the same call with additional parameters. */
const withQuery = (options: PageCall, query: Query): PageCall => ({
  ...options,
  query: { ...options.query, ...query },
})

async function page(fixtures: Fixtures, list: CallableId, options: PageCall, query: Query) {
  const body = await invokeOk(fixtures, list, withQuery(options, query))
  return body as { data: Item[]; has_more: boolean }
}

/** Returns every item, read page by page like a client; `between` runs after each page but the
 *  last. */
async function readAll(
  fixtures: Fixtures,
  list: CallableId,
  options: PageCall,
  query: Query,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const items: Item[] = []
  const size = Number(query['limit'] ?? 20)
  for (let cursor: Query = {}; ;) {
    const { data, has_more } = await page(fixtures, list, options, { ...query, ...cursor })
    items.push(...data)
    expect(data.length).toBeLessThanOrEqual(size)
    if (!has_more) return items
    expect(data).toHaveLength(size)
    await between()
    const last = data.at(-1)
    cursor = last ? { starting_after: idOfItem(last) } : {}
  }
}

/** Returns the prefix of the IDs a list accepts as its cursor, from the pattern in its schema. */
function prefixOf(list: CallableId): Prefix {
  const pattern = shapeOf(callable[list].query ?? {}).properties?.['starting_after']?.pattern
  const found = Object.values(prefixes).find(prefix => idPattern(prefix) === pattern)
  if (!found) throw new Error(`${list} has no cursor`)
  return found
}

const least = '0'.repeat(26)
const greatest = `7${'z'.repeat(25)}`

export function suiteOfPages(list: CallableId, open: () => Promise<[Fixtures, Listing]>): void {
  const prefix = prefixOf(list)

  test(`${list} ascends by ID, and has each item once at any page size`, async () => {
    const [fixtures, { options, least: minimum = 20 }] = await open()
    const all = await readAll(fixtures, list, options, { limit: '100' })
    const ids = all.map(idOfItem)
    expect(ids.length).toBeGreaterThanOrEqual(minimum)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const limit of ['1', '2', '3', '7', String(ids.length - 1)]) {
      expect(await readAll(fixtures, list, options, { limit })).toEqual(all)
    }
    expect(await readAll(fixtures, list, options, {})).toEqual(all)
    expect((await page(fixtures, list, options, {})).data).toEqual(all.slice(0, 20))
  })

  test(`${list} reports whether more items follow, even if the page has the last one`, async () => {
    const [fixtures, { options }] = await open()
    const { data } = await page(fixtures, list, options, { limit: '100' })
    const count = data.length
    const [first, last] = [idOfItem(data[0] ?? {}), idOfItem(data.at(-1) ?? {})]
    const pageOf = async (query: Query) => {
      const found = await page(fixtures, list, options, query)
      return [found.data.length, found.has_more]
    }
    expect(await pageOf({ limit: String(count) })).toEqual([count, false])
    expect(await pageOf({ limit: String(count + 1) })).toEqual([count, false])
    expect(await pageOf({ limit: String(count - 1) })).toEqual([count - 1, true])
    const rest = String(count - 1)
    expect(await pageOf({ limit: rest, starting_after: first })).toEqual([count - 1, false])
    expect(await pageOf({ starting_after: last })).toEqual([0, false])
  })

  test(`${list} refuses a limit outside 1 to 100, and never clamps it`, async () => {
    const [fixtures, { options }] = await open()
    const bad = ['0', '101', '-1', '-0', '1.5', '1e1', 'ten', '', ' 5', '5 ', '0x5', '１', 'null']
    const all = [...bad, '9'.repeat(400)].map(limit => withQuery(options, { limit }))
    for (const result of await expectRefusals(fixtures, list, 'invalid_request', all)) {
      expect(faultsOf(result)).toMatchObject([['?limit', expect.any(String)]])
    }
  })

  test(`${list} refuses a cursor that isn't an ID of its kind of item`, async () => {
    const [fixtures, { options }] = await open()
    const others = Object.values(prefixes).filter(one => one !== prefix)
    const malformed = [least.slice(1), `8${least.slice(1)}`, `${least}0`, least.replace('0', 'o')]
    const bad = [
      '',
      'nope',
      `${prefix}_`,
      `${prefix}_${greatest.toUpperCase()}`,
      `${prefix}_${least}\n`,
      ...malformed.map(rest => `${prefix}_${rest}`),
      ...others.map(other => `${other}_${least}`),
    ]
    const all = bad.map(starting_after => withQuery(options, { starting_after }))
    for (const result of await expectRefusals(fixtures, list, 'invalid_request', all)) {
      expect(faultsOf(result)).toEqual([['?starting_after', 'invalid_cursor']])
    }
  })

  test(`${list} treats a cursor whose row doesn't exist as a position`, async () => {
    const [fixtures, { options, theirs }] = await open()
    const all = await readAll(fixtures, list, options, { limit: '100' })
    const positions = [`${prefix}_${least}`, `${prefix}_${greatest}`]
    // Just before and just after an existing ID: positions between two rows.
    const middle = idOfItem(all[10] ?? {})
    positions.push(`${middle.slice(0, -1)}0`, `${middle.slice(0, -1)}z`)
    if (theirs) {
      const { data } = await page(fixtures, list, theirs, { limit: '1' })
      expect(data).toHaveLength(1)
      positions.push(...data.map(idOfItem))
    }
    for (const starting_after of positions) {
      const { data } = await page(fixtures, list, options, { limit: '100', starting_after })
      expect(data).toEqual(all.filter(item => idOfItem(item) > starting_after))
    }
  })

  test(`${list} applies its filters on every page`, async () => {
    const [fixtures, { options, filters }] = await open()
    const all = await readAll(fixtures, list, options, { limit: '100' })
    for (const { query, holds } of filters) {
      const expected = all.filter(holds)
      expect([query, expected.length > 0 && expected.length < all.length]).toEqual([query, true])
      for (const limit of ['1', '3', '100']) {
        expect(await readAll(fixtures, list, options, { ...query, limit })).toEqual(expected)
      }
    }
    const always = Object.keys(options.query ?? {})
    const known = ['limit', 'starting_after', 'include_resource', ...always]
    const tried = new Set([...known, ...filters.flatMap(one => Object.keys(one.query))])
    const own = Object.keys(shapeOf(callable[list].query ?? {}).properties ?? {})
    expect(own.filter(name => !tried.has(name))).toEqual([])
  })

  test(`${list} without items is an empty page`, async () => {
    const [fixtures, { empty }] = await open()
    if (!empty) return
    const { text } = await invoke(fixtures, list, empty)
    expect(text).toBe('{"data":[],"has_more":false}')
  })

  // The last test, because it adds rows.
  test(`${list} neither skips nor repeats when rows are added while it is read`, async () => {
    const [fixtures, { options, more }] = await open()
    if (!more) return
    const before = (await readAll(fixtures, list, options, { limit: '100' })).map(idOfItem)
    let added = 0
    const walked = await readAll(fixtures, list, options, { limit: '4' }, async () => {
      if (added++ < 5) await more()
    })
    const ids = walked.map(idOfItem)
    expect(ids.slice(0, before.length)).toEqual(before)
    expect(ids.length).toBeGreaterThanOrEqual(before.length + 5)
    expect(ids).toEqual([...new Set(ids)].sort())
    const after = await readAll(fixtures, list, options, { limit: '100' })
    expect(ids).toEqual(after.map(idOfItem))
  })
}
