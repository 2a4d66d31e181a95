import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { articleSummary, comparisonSummary } from '#contract/content.ts'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'

const folder = writeSampleSite()
let build = sampleBuild(folder, 60)
const route = sampleContent({ build: () => build })
const get = (address: string, init?: RequestInit) =>
  route(new Request(`http://localhost${address}`, init))

type Item = { slug: string; published: string }
type Page = { items: Item[]; next_cursor: string | null }

async function page(address: string): Promise<Page> {
  const answer = await get(address)
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Every item that the cursors lead to. */
async function walk(path: string, limit: number): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { items: some, next_cursor } = await page(`${path}?limit=${limit}${more}`)
    expect(some.length).toBeWithin(1, limit + 1)
    items.push(...some)
    cursor = next_cursor
  }
  return items
}

async function expectProblem(answer: Response, detail: RegExp, hint: RegExp): Promise<void> {
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringMatching(detail),
    hint: expect.stringMatching(hint),
  })
}

describe('lists: 200', () => {
  test('pages have twenty items by default, and the last cursor is null', async () => {
    const first = await page('/api/articles')
    expect([first.items.length, typeof first.next_cursor]).toEqual([20, 'string'])
    expect((await page('/api/articles?limit=50')).items).toHaveLength(50)
    const comparisons = await page('/api/comparisons')
    expect(comparisons).toMatchObject({ items: [{ slug: 'this-vs-that' }], next_cursor: null })
  })

  test.each([1, 2, 7, 20, 30, 50])(
    'pages of %d contain every item once, newest first',
    async limit => {
      const items = await walk('/api/articles', limit)
      const key = ({ published, slug }: Item) => [published, slug] as const
      const ordered = items.toSorted((one, other) => {
        const [day, slug] = key(one)
        const [otherDay, otherSlug] = key(other)
        return otherDay.localeCompare(day) || slug.localeCompare(otherSlug)
      })
      expect(items.map(({ slug }) => slug)).toEqual(ordered.map(({ slug }) => slug))
      expect(new Set(items.map(({ slug }) => slug)).size).toBe(60)
      expect(items).toHaveLength(60)
    },
  )

  test('items match the published schema', async () => {
    const ajv = addFormats(new Ajv({ strict: false }))
    const article = ajv.compile(articleSummary)
    const comparison = ajv.compile(comparisonSummary)
    for (const item of await walk('/api/articles', 50)) expect(article(item)).toBe(true)
    for (const item of await walk('/api/comparisons', 50)) expect(comparison(item)).toBe(true)
  })

  test('another list’s cursor and a made-up cursor are refused', async () => {
    const { next_cursor } = await page('/api/articles?limit=1')
    const made = (text: string) => Buffer.from(text).toString('base64url')
    const [published = '', slug = ''] = Buffer.from(next_cursor ?? '', 'base64url')
      .toString()
      .split(' ')
    for (const target of [
      `/api/comparisons?cursor=${next_cursor}`,
      `/api/articles?cursor=${made(`${published} ${slug}`)}`,
      `/api/articles?cursor=${made(`${published} ${slug} 000000000000`)}`,
      `/api/articles?cursor=${made('2026-01-01 anything 0123456789ab')}`,
    ]) {
      await expectProblem(await get(target), /did not come from this list/, /next_cursor/)
    }
  })

  test('links to the next page in the Link header', async () => {
    const answer = await get('/api/articles?limit=50')
    const { next_cursor } = await answer.json()
    const next = `/api/articles?limit=50&cursor=${next_cursor}`
    expect(answer.headers.get('link')).toBe(`<${next}>; rel="next"`)
    const last = await get(next)
    expect([(await last.json()).next_cursor, last.headers.get('link')]).toEqual([null, null])
  })

  test('a cursor from an earlier build stays valid', async () => {
    const before = build
    const first = await page('/api/articles?limit=7')
    build = sampleBuild(folder, 30)
    const rest = await page(`/api/articles?limit=50&cursor=${first.next_cursor}`)
    const left = (await page('/api/articles?limit=50')).items
    build = before
    const last = first.items.at(-1)
    const isLater = ({ published, slug }: Item) =>
      published < (last?.published ?? '') ||
      (published === last?.published && slug > (last?.slug ?? ''))
    expect(rest.items).toEqual(left.filter(isLater))
    expect(rest.items.length).toBeGreaterThan(10)
  })
})

describe('lists: 400', () => {
  test.each(['0', '51', '99', '100', 'x', '', '-1', '1.5', '1e1', '0x5', ' 5', '05', '٥'])(
    'limit=%p',
    async limit => {
      const answer = await get(`/api/articles?limit=${encodeURIComponent(limit)}`)
      await expectProblem(answer, /limit must be an integer from 1 to 50/, /limit=20/)
    },
  )
  test.each(['', 'x', 'AAAA', '%00', 'MjAyNi0xMS0yMCBh', `${'A'.repeat(500)}`, 'next', 'null'])(
    'an invalid cursor: %p',
    async cursor => {
      const answer = await get(
        `/api/comparisons?cursor=${cursor === 'MjAyNi0xMS0yMCBh' ? `${cursor}=` : cursor}`,
      )
      await expectProblem(answer, /This cursor did not come from this list/, /next_cursor/)
    },
  )
  test('an unknown parameter, with the nearest known one', async () => {
    const meant = {
      lmit: 'limit',
      Limit: 'limit',
      limits: 'limit',
      cursr: 'cursor',
      kursor: 'cursor',
    }
    for (const [name, right] of Object.entries(meant)) {
      const answer = await get(`/api/articles?${name}=1`)
      await expectProblem(answer, new RegExp(`"${name}"`), new RegExp(`Did you mean ${right}\\?`))
    }
    for (const name of ['page', 'offset', '__proto__', 'a', '%00']) {
      await expectProblem(
        await get(`/api/articles?${name}=1`),
        /no such parameter/,
        /^This path accepts/,
      )
    }
  })
  test('a parameter sent twice', async () => {
    await expectProblem(
      await get('/api/articles?limit=1&limit=2'),
      /limit must appear only once/,
      /once/,
    )
  })
})

test('lists: 405 for POST', async () => {
  const answer = await get('/api/articles', { method: 'POST', body: '{}' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
})
