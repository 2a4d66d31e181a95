// What a publication changed, in the words of an editor: which pages are new, other, or gone, what
// their words, the list for machines and the answers of `/ask` were before, and are now.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { changedParagraphs, countWords, differ, type Part } from './difference.ts'

export type Page = { kind: 'new' | 'changed' | 'gone'; page: string; paragraphs: Part[][] }
type Judged = { question: string; place: number | null }
type Quality = { served: { ndcg_at_5: number; recall_at_5: number }; judged: Judged[] }
export type Asked = {
  before: Quality['served']
  after: Quality['served']
  won: string[]
  lost: string[]
}

export type Changes = { pages: Page[]; listed: Part[]; asked: Asked | undefined }

export async function changesBetween(before: string, after: string): Promise<Changes> {
  const [old, now] = await Promise.all([pagesOf(before), pagesOf(after)])
  const added = [...now.keys()].filter(page => !old.has(page))
  const other = [...now].filter(([page, text]) => old.has(page) && old.get(page) !== text)
  const gone = [...old.keys()].filter(page => !now.has(page))
  const changed = other.map(async ([page]): Promise<Page> => {
    const [one, two] = await Promise.all([before, after].map(folder => twinOf(folder, page)))
    return { kind: 'changed', page, paragraphs: changedParagraphs(one ?? '', two ?? '') }
  })
  const lists = await Promise.all([before, after].map(folder => textOf(folder, 'llms.txt')))
  const lines = differ(...(lists.map(text => text.split('\n')) as [string[], string[]]))
  return {
    pages: [
      ...added.map((page): Page => ({ kind: 'new', page, paragraphs: [] })),
      ...(await Promise.all(changed)),
      ...gone.map((page): Page => ({ kind: 'gone', page, paragraphs: [] })),
    ],
    listed: lines.filter(({ kind, text }) => kind !== 'same' && text !== ''),
    asked: await askedIn(before, after),
  }
}

const shown = 10

/** What whoever pushed reads. */
export function describeChanges({ pages, listed, asked }: Changes): string[] {
  const lines = pages.map(({ kind, page, paragraphs }) => {
    const { added, removed } = countWords(paragraphs)
    const words = added + removed === 0 ? '' : `  +${added} −${removed} words`
    return `${kind.padEnd(9)}${page}${words}`
  })
  const rest = lines.length - shown
  const count = (wanted: Part['kind']) => listed.filter(({ kind }) => kind === wanted).length
  return [
    ...(lines.length === 0 ? ['no page changed'] : lines.slice(0, shown)),
    ...(rest > 0 ? [`and ${rest} more pages`] : []),
    ...(listed.length > 0 ? [`llms.txt +${count('added')} −${count('removed')} lines`] : []),
    ...describeAsked(asked),
  ]
}

export function describeAsked(asked: Asked | undefined): string[] {
  if (asked === undefined) return []
  const { before, after, won, lost } = asked
  const isSame = before.ndcg_at_5 === after.ndcg_at_5 && before.recall_at_5 === after.recall_at_5
  if (isSame && won.length + lost.length === 0) return []
  const move = (name: string, one: number, two: number) =>
    `${name} ${one.toFixed(3)} → ${two.toFixed(3)}`
  return [
    `/ask ${move('nDCG@5', before.ndcg_at_5, after.ndcg_at_5)}, ${move('recall@5', before.recall_at_5, after.recall_at_5)}`,
    ...won.map(question => `/ask now answers first: ${question}`),
    ...lost.map(question => `/ask no longer answers first: ${question}`),
  ]
}

async function textOf(folder: string, name: string): Promise<string> {
  const file = Bun.file(path.join(folder, name))
  return (await file.exists()) ? file.text() : ''
}

/** Its words without the head, whose day moves with them. */
async function twinOf(folder: string, page: string): Promise<string> {
  const text = await textOf(folder, page === '/' ? 'index.md' : `${page}.md`)
  return text.replace(/^---\n[\s\S]*?\n---\n/, '')
}

async function askedIn(before: string, after: string): Promise<Asked | undefined> {
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
    won: both.flatMap(([question, place]) =>
      place === 1 && was.get(question) !== 1 ? [question] : [],
    ),
    lost: both.flatMap(([question, place]) =>
      place !== 1 && was.get(question) === 1 ? [question] : [],
    ),
  }
}

/** The main part of each page, because a new style sheet changes the name of its file in all. */
async function pagesOf(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.html'))
  const pages = names.sort().map(async (name): Promise<[string, string]> => {
    const html = await Bun.file(path.join(folder, name)).text()
    const page = `/${name.replace(/\.html$/, '')}`.replace(/\/index$/, '') || '/'
    return [page, /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html]
  })
  return new Map(await Promise.all(pages))
}
