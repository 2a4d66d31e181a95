// What every list promises (contract/02, section 3): ascending by id, each item once and no item
// twice at any page size, a cursor that is a position and not a row, and limits that are refused
// rather than clamped.

import { expect, test } from 'bun:test'
import { type OperationId, table } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { idPattern, type Prefix, prefixes } from '#contract/ids.ts'
import { ask, type Asked, must } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { faultsOf, refusals } from './sweep.ts'

type Item = Record<string, unknown>
type Query = Record<string, string>
type Base = Omit<Asked, 'query'> & { query?: Query }

/** A list to walk: enough rows, a way to one more, and what its filters let through. */
export type Listing = {
  /** How many there are at least; 20 where nothing is said. */
  least?: number
  /** What to ask for, as Ada; its parameters are asked for every time. */
  asked: Base
  /** The same of a list that has nothing in it; absent where that cannot be. */
  empty?: Base
  /** Adds an item at the end; absent where none can be added. */
  more?: () => Promise<unknown>
  filters: readonly { query: Query; holds: (item: Item) => boolean }[]
  /** The same list of Ben's; absent where it is everybody's. */
  theirs?: Base
}

/** The member that identifies an item: the one that its kind of id is in. */
const idOfItem = (item: Item): string => String(item['id'] ?? item['medication_id'])

/** The same call with more parameters. */
const narrowed = (asked: Base, query: Query): Base => ({
  ...asked,
  query: { ...asked.query, ...query },
})

async function page(fixtures: Fixtures, list: OperationId, asked: Base, query: Query) {
  const body = await must(fixtures, list, narrowed(asked, query))
  return body as { data: Item[]; has_more: boolean }
}

/** Every item, page by page, as a client reads them; `between` happens after each page. */
async function walk(
  fixtures: Fixtures,
  list: OperationId,
  asked: Base,
  query: Query,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const items: Item[] = []
  const size = Number(query['limit'] ?? limits.pageDefault)
  for (let cursor: Query = {}; ;) {
    const { data, has_more } = await page(fixtures, list, asked, { ...query, ...cursor })
    items.push(...data)
    expect(data.length).toBeLessThanOrEqual(size)
    if (!has_more) return items
    expect(data).toHaveLength(size)
    await between()
    const last = data.at(-1)
    cursor = last ? { starting_after: idOfItem(last) } : {}
  }
}

/** The prefix of the ids that a list's cursor takes, as its own pattern states it. */
function prefixOf(list: OperationId): Prefix {
  const pattern = shapeOf(table[list].query ?? {}).properties?.['starting_after']?.pattern
  const found = Object.values(prefixes).find(prefix => idPattern(prefix) === pattern)
  if (!found) throw new Error(`${list} has no cursor`)
  return found
}

const least = '0'.repeat(26)
const greatest = `7${'z'.repeat(25)}`

export function suiteOfPages(list: OperationId, open: () => Promise<[Fixtures, Listing]>): void {
  const prefix = prefixOf(list)

  test(`${list} ascends by id, and holds each item once at any page size`, async () => {
    const [fixtures, { asked, least: fewest = limits.pageDefault }] = await open()
    const all = await walk(fixtures, list, asked, { limit: '100' })
    const ids = all.map(idOfItem)
    expect(ids.length).toBeGreaterThanOrEqual(fewest)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const limit of ['1', '2', '3', '7', String(ids.length - 1)]) {
      expect(await walk(fixtures, list, asked, { limit })).toEqual(all)
    }
    expect(await walk(fixtures, list, asked, {})).toEqual(all)
    expect((await page(fixtures, list, asked, {})).data).toEqual(all.slice(0, limits.pageDefault))
  })

  test(`${list} says whether more follows, at the very edge too`, async () => {
    const [fixtures, { asked }] = await open()
    const { data } = await page(fixtures, list, asked, { limit: '100' })
    const count = data.length
    const [first, last] = [idOfItem(data[0] ?? {}), idOfItem(data.at(-1) ?? {})]
    const seen = async (query: Query) => {
      const found = await page(fixtures, list, asked, query)
      return [found.data.length, found.has_more]
    }
    expect(await seen({ limit: String(count) })).toEqual([count, false])
    expect(await seen({ limit: String(count + 1) })).toEqual([count, false])
    expect(await seen({ limit: String(count - 1) })).toEqual([count - 1, true])
    const rest = String(count - 1)
    expect(await seen({ limit: rest, starting_after: first })).toEqual([count - 1, false])
    expect(await seen({ starting_after: last })).toEqual([0, false])
  })

  test(`${list} refuses a limit that is not 1 to 100, and never clamps it`, async () => {
    const [fixtures, { asked }] = await open()
    const bad = ['0', '101', '-1', '-0', '1.5', '1e1', 'ten', '', ' 5', '5 ', '0x5', '１', 'null']
    const all = [...bad, '9'.repeat(400)].map(limit => narrowed(asked, { limit }))
    for (const replied of await refusals(fixtures, list, 'invalid_request', all)) {
      expect(faultsOf(replied)).toMatchObject([['?limit', expect.any(String)]])
    }
  })

  test(`${list} refuses a cursor that is no id of its items`, async () => {
    const [fixtures, { asked }] = await open()
    const others = Object.values(prefixes).filter(one => one !== prefix)
    const ill = [least.slice(1), `8${least.slice(1)}`, `${least}0`, least.replace('0', 'o')]
    const bad = [
      '',
      'nope',
      `${prefix}_`,
      `${prefix}_${greatest.toUpperCase()}`,
      `${prefix}_${least}\n`,
      ...ill.map(half => `${prefix}_${half}`),
      ...others.map(other => `${other}_${least}`),
    ]
    const all = bad.map(starting_after => narrowed(asked, { starting_after }))
    for (const replied of await refusals(fixtures, list, 'invalid_request', all)) {
      expect(faultsOf(replied)).toEqual([['?starting_after', 'invalid_cursor']])
    }
  })

  test(`${list} takes a cursor whose row is not there as a position`, async () => {
    const [fixtures, { asked, theirs }] = await open()
    const all = await walk(fixtures, list, asked, { limit: '100' })
    const positions = [`${prefix}_${least}`, `${prefix}_${greatest}`]
    // One more and one less than an id that is there: rows of nobody, between two of ours.
    const middle = idOfItem(all[10] ?? {})
    positions.push(`${middle.slice(0, -1)}0`, `${middle.slice(0, -1)}z`)
    if (theirs) {
      const { data } = await page(fixtures, list, theirs, { limit: '1' })
      expect(data).toHaveLength(1)
      positions.push(...data.map(idOfItem))
    }
    for (const starting_after of positions) {
      const { data } = await page(fixtures, list, asked, { limit: '100', starting_after })
      expect(data).toEqual(all.filter(item => idOfItem(item) > starting_after))
    }
  })

  test(`${list} keeps to its filters across pages`, async () => {
    const [fixtures, { asked, filters }] = await open()
    const all = await walk(fixtures, list, asked, { limit: '100' })
    for (const { query, holds } of filters) {
      const kept = all.filter(holds)
      expect([query, kept.length > 0 && kept.length < all.length]).toEqual([query, true])
      for (const limit of ['1', '3', '100']) {
        expect(await walk(fixtures, list, asked, { ...query, limit })).toEqual(kept)
      }
    }
    const always = Object.keys(asked.query ?? {})
    const known = ['limit', 'starting_after', 'include_resource', ...always]
    const tried = new Set([...known, ...filters.flatMap(one => Object.keys(one.query))])
    const own = Object.keys(shapeOf(table[list].query ?? {}).properties ?? {})
    expect(own.filter(name => !tried.has(name))).toEqual([])
  })

  test(`${list} with nothing in it is an empty page`, async () => {
    const [fixtures, { empty }] = await open()
    if (!empty) return
    const { text } = await ask(fixtures, list, empty)
    expect(text).toBe('{"data":[],"has_more":false}')
  })

  // The last of the suite: it adds rows.
  test(`${list} neither skips nor repeats when rows are added while it is read`, async () => {
    const [fixtures, { asked, more }] = await open()
    if (!more) return
    const before = (await walk(fixtures, list, asked, { limit: '100' })).map(idOfItem)
    let added = 0
    const walked = await walk(fixtures, list, asked, { limit: '4' }, async () => {
      if (added++ < 5) await more()
    })
    const ids = walked.map(idOfItem)
    expect(ids.slice(0, before.length)).toEqual(before)
    expect(ids.length).toBeGreaterThanOrEqual(before.length + 5)
    expect(ids).toEqual([...new Set(ids)].sort())
    const after = await walk(fixtures, list, asked, { limit: '100' })
    expect(ids).toEqual(after.map(idOfItem))
  })
}
