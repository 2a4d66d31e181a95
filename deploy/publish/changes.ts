// A publication's changes for readers. Lists new, changed and removed pages, and shows how the
// pages' text, llms.txt and `/ask` results differ from the previous build.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { changedParagraphs, countWords, differ, type Part } from './difference.ts'
import { unescaped } from './unescape.ts'

export type Page = {
  kind: 'new' | 'changed' | 'removed'
  page: string
  /** The title and description, if they changed. Tabs, search results and lists show both. */
  heads: { name: string; before: string; after: string }[]
  paragraphs: Part[][]
}
type Judged = { question: string; place: number | null }
type Quality = { served: { ndcg_at_5: number; recall_at_5: number }; judged: Judged[] }
export type SearchChanges = {
  before: Quality['served']
  after: Quality['served']
  /** Questions whose page is now the first result, and wasn't before. */
  gained: string[]
  lost: string[]
}

export type Changes = { pages: Page[]; listed: Part[]; search: SearchChanges | undefined }

export async function changesBetween(before: string, after: string): Promise<Changes> {
  const [old, now] = await Promise.all([pagesOf(before), pagesOf(after)])
  const added = [...now.keys()].filter(page => !old.has(page))
  const differing = [...now].flatMap(([page, after]) => {
    const before = old.get(page)
    if (before === undefined) return []
    const heads = headsBetween(before, after)
    return before.text === after.text && heads.length === 0 ? [] : [{ page, heads }]
  })
  const removed = [...old.keys()].filter(page => !now.has(page))
  const changed = differing.map(async ({ page, heads }): Promise<Page> => {
    const [one, two] = await Promise.all([before, after].map(folder => markdownOf(folder, page)))
    return { kind: 'changed', page, heads, paragraphs: changedParagraphs(one ?? '', two ?? '') }
  })
  const lists = await Promise.all([before, after].map(folder => textOf(folder, 'llms.txt')))
  const lines = differ(...(lists.map(text => text.split('\n')) as [string[], string[]]))
  return {
    pages: [
      ...added.map((page): Page => ({ kind: 'new', page, heads: [], paragraphs: [] })),
      ...(await Promise.all(changed)),
      ...removed.map((page): Page => ({ kind: 'removed', page, heads: [], paragraphs: [] })),
    ],
    listed: lines.filter(({ kind, text }) => kind !== 'same' && text !== ''),
    search: await searchChangesBetween(before, after),
  }
}

const shown = 10

/** Describes the changes in lines for the pusher. */
export function describeChanges({ pages, listed, search }: Changes): string[] {
  const lines = pages.map(({ kind, page, heads, paragraphs }) => {
    const { added, removed } = countWords(paragraphs)
    const words = added + removed === 0 ? '' : `  +${added} −${removed} words`
    return [`${kind.padEnd(9)}${page}${words}`, ...heads.map(describeHead)].join('  ')
  })
  const rest = lines.length - shown
  const count = (wanted: Part['kind']) => listed.filter(({ kind }) => kind === wanted).length
  return [
    ...(lines.length === 0 ? ['no page changed'] : lines.slice(0, shown)),
    ...(rest > 0 ? [`and ${rest} more pages`] : []),
    ...(listed.length > 0 ? [`llms.txt +${count('added')} −${count('removed')} lines`] : []),
    ...describeSearch(search),
  ]
}

export const describeHead = ({ name, before, after }: Page['heads'][number]) =>
  `${name} “${before}” → “${after}”`

export function describeSearch(search: SearchChanges | undefined): string[] {
  if (search === undefined) return []
  const { before, after, gained, lost } = search
  const isSame = before.ndcg_at_5 === after.ndcg_at_5 && before.recall_at_5 === after.recall_at_5
  if (isSame && gained.length + lost.length === 0) return []
  const line = (name: string, one: number, two: number) =>
    `${name} ${one.toFixed(3)} → ${two.toFixed(3)}`
  return [
    `/ask ${line('nDCG@5', before.ndcg_at_5, after.ndcg_at_5)}, ${line('recall@5', before.recall_at_5, after.recall_at_5)}`,
    ...gained.map(question => `/ask now returns it first for: ${question}`),
    ...lost.map(question => `/ask no longer returns it first for: ${question}`),
  ]
}

async function textOf(folder: string, name: string): Promise<string> {
  const file = Bun.file(path.join(folder, name))
  return (await file.exists()) ? file.text() : ''
}

/** The Markdown version without its front matter, whose date changes with the text. */
async function markdownOf(folder: string, page: string): Promise<string> {
  const text = await textOf(folder, page === '/' ? 'index.md' : `${page}.md`)
  return text.replace(/^---\n[\s\S]*?\n---\n/, '')
}

async function searchChangesBetween(
  before: string,
  after: string,
): Promise<SearchChanges | undefined> {
  const name = 'catalog/quality.json'
  if (![before, after].every(folder => existsSync(path.join(folder, name)))) return undefined
  const read = async (folder: string): Promise<Quality> => JSON.parse(await textOf(folder, name))
  const [old, now] = await Promise.all([read(before), read(after)])
  const placeOf = ({ judged }: Quality) =>
    new Map(judged.map(({ question, place }) => [question, place]))
  const [was, is] = [placeOf(old), placeOf(now)]
  const both = [...is].filter(([question]) => was.has(question))
  return {
    before: old.served,
    after: now.served,
    gained: both.flatMap(([question, place]) =>
      place === 1 && was.get(question) !== 1 ? [question] : [],
    ),
    lost: both.flatMap(([question, place]) =>
      place !== 1 && was.get(question) === 1 ? [question] : [],
    ),
  }
}

/**
 * The parts of a page that readers see: the main part, and the title and description in the head.
 */
type PageText = { text: string; heads: Readonly<Record<'title' | 'description', string>> }

/** Leaves out the rest of the head, because it changes on every page when the style sheet's file
 *  name changes. */
async function pagesOf(folder: string): Promise<Map<string, PageText>> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.html'))
  const pages = names.sort().map(async (name): Promise<[string, PageText]> => {
    const html = await Bun.file(path.join(folder, name)).text()
    const page = `/${name.replace(/\.html$/, '')}`.replace(/\/index$/, '') || '/'
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const text = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html
    return [page, { text, heads: { title, description } }]
  })
  return new Map(await Promise.all(pages))
}

const headsBetween = ({ heads: before }: PageText, { heads: after }: PageText): Page['heads'] =>
  (['title', 'description'] as const)
    .filter(name => before[name] !== after[name])
    .map(name => ({ name, before: unescaped(before[name]), after: unescaped(after[name]) }))
