import { describe, expect, test } from 'bun:test'
import { loadCatalog } from './catalog.ts'
import { openSampleCatalog, sampleCatalog } from '../testing/catalog.ts'

const open = (files: Record<string, string>) => loadCatalog(path => files[path.slice(1)])
const catalog = openSampleCatalog(23)

/** Every slug that the cursors lead to, in order. */
function walk(from: typeof catalog, limit: number, tag?: string): string[] {
  const seen: string[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 50; pages++) {
    const page = from.articles.page({ limit, cursor, tag })
    if (page === undefined) throw new Error('A cursor of the list was not accepted.')
    seen.push(...page.items.map(({ slug }) => slug))
    if (page.next_cursor === null) return seen
    cursor = page.next_cursor
  }
  throw new Error('The pages do not end.')
}

describe('catalog: paged lists', () => {
  test('pages of any size contain every item once, newest first', () => {
    for (const limit of [1, 2, 7, 22, 23, 50]) {
      expect(walk(catalog, limit)).toEqual([...catalog.articles.slugs])
    }
    const days = catalog.articles.page({ limit: 50 })?.items.map(each => each.published) ?? []
    expect(days).toEqual(days.toSorted().toReversed())
  })

  test('a tag filters every page', () => {
    const odd = walk(catalog, 3, 'odd')
    expect(odd).toHaveLength(11)
    expect(walk(catalog, 3, 'none')).toEqual([])
  })

  test('a cursor stays valid after its item is removed', () => {
    const page = catalog.articles.page({ limit: 5 })
    const files = sampleCatalog(23)
    const all: { slug: string }[] = JSON.parse(files['catalog/articles.json'] ?? '')
    const gone = page?.items.at(-1)?.slug
    files['catalog/articles.json'] = JSON.stringify(all.filter(({ slug }) => slug !== gone))
    const next = open(files).articles.page({ limit: 50, cursor: page?.next_cursor ?? '' })
    expect(next?.items.map(({ slug }) => slug)).toEqual(catalog.articles.slugs.slice(5))
  })

  test('refuses any cursor it did not create', () => {
    const cursor = catalog.articles.page({ limit: 1 })?.next_cursor ?? ''
    const others = ['', 'x', `${cursor}=`, ` ${cursor}`, cursor.slice(1), '\0', 'é', btoa('1 2')]
    for (const other of others) {
      expect([other, catalog.articles.page({ cursor: other })]).toEqual([other, undefined])
    }
  })
})

test('catalog: an item has its summary and its Markdown version’s body', () => {
  const [slug = ''] = catalog.articles.slugs
  const [summary] = catalog.articles.page({ limit: 1 })?.items ?? []
  expect(catalog.articles.get(slug)).toEqual({
    ...(summary ?? expect.unreachable()),
    body_markdown: '# article-0\n\nArticle 0.\n',
    reviewed_by: null,
    sources: [],
  })
  expect(catalog.comparisons.get('this-vs-that')).toMatchObject({
    body_markdown: '# this-vs-that\n\nBoth.\n',
    verdict: 'It depends.',
  })
  expect(catalog.articles.get('nothing')).toBeUndefined()
  expect(catalog.articles.get('__proto__')).toBeUndefined()
})

test('catalog: refuses a build with a missing file', () => {
  for (const name of ['articles', 'comparisons', 'overview', 'pricing']) {
    const { [`catalog/${name}.json`]: _gone, ...files } = sampleCatalog()
    expect(() => open(files)).toThrow(`catalog/${name}.json`)
  }
})
