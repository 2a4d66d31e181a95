import type { Counted } from '#content/postings.ts'
import { nameTerm } from '#content/rank.ts'
import { isReference, problemPath } from '#content/reference.ts'
import type { SearchDocument } from '#content/search.ts'
import { Counter, questionWeight } from './count.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  text: string
  /** What the page is called where it is code: whoever asks for exactly that wants this page. */
  names?: string[]
}

const titleWeight = 3

/**
 * One field of text in which a title, the words of the address and the questions a page answers
 * count more by standing there more often.
 */
export function searchDocument(page: SearchPage): SearchDocument {
  const { url, title, description } = page
  const questions = Array<string>(questionWeight).fill(questionsOf(page))
  return { url, title, description, text: [textOf(page), ...questions].join('\n') }
}

function textOf({ url, title, description, text }: SearchPage): string {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  // Links are typed and remembered: the words of an address are a second title.
  const titles = Array<string>(titleWeight).fill(`${title}\n${url}`)
  return [...titles, description, prose].join('\n')
}

const questionsOf = ({ questions }: SearchPage) => questions.join(' ')

/** The index that is served, and the same without the questions that pages promise to answer. */
export function searchIndexes(unsorted: SearchPage[]): { served: Counted; blind: Counted } {
  const pages = unsorted.toSorted((a, b) => a.url.localeCompare(b.url))
  const counter = new Counter()
  const lengths = pages.map((page, at) => counter.count(textOf(page), questionsOf(page), at))
  const terms = counter.terms()
  const index = (which: 'served' | 'blind'): Counted => ({
    ...headOf(
      pages,
      lengths.map(length => length[which]),
    ),
    ...terms[which],
  })
  return { served: index('served'), blind: index('blind') }
}

export const searchIndex = (pages: SearchPage[]): Counted => searchIndexes(pages).served

/** All but the terms, as MiniSearch names it. */
function headOf(pages: SearchPage[], lengths: number[]): Omit<Counted, 'terms' | 'standing'> {
  const named = pages.flatMap(({ url, names = [] }) =>
    names.filter(name => isCode(name, url)).map(name => [nameTerm(name), url]),
  )
  // Pages of the reference are a few words each: counted in, they would make every text a long one.
  const texts = lengths.filter((_, at) => !isReference(pages[at]?.url ?? ''))
  const total = texts.reduce((sum, length) => sum + length, 0)
  const numbered = <Value>(value: (page: SearchPage, at: number) => Value) =>
    Object.fromEntries(pages.map((page, at) => [at, value(page, at)]))
  return {
    documentCount: pages.length,
    nextId: pages.length,
    documentIds: numbered(({ url }) => url),
    fieldIds: { text: 0 },
    fieldLength: numbered((_, at) => [lengths[at] ?? 0]),
    averageFieldLength: [total / Math.max(1, texts.length)],
    storedFields: numbered(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))),
  }
}

/**
 * The index as MiniSearch loads it. Pages go in by address, and terms by the alphabet, so the same
 * pages give the same bytes. It is written down from counts instead of being taken from MiniSearch
 * itself, which grows a tree for it first; a test holds the two to each other.
 */
export function indexText({ terms, standing, serializationVersion, named, ...head }: Counted) {
  const index = terms.map((term, at) => {
    const { pages, times, from, to } = standing(at)
    let counts = ''
    for (let place = from; place < to; place++)
      counts += `${place === from ? '' : ','}"${pages[place]}":${times[place]}`
    return `[${JSON.stringify(term)},{"0":{${counts}}}]`
  })
  const tail = JSON.stringify({ serializationVersion, named })
  return `${JSON.stringify(head).slice(0, -1)},"index":[${index.join(',')}],${tail.slice(1)}`
}

/**
 * Not `Case` or `Event`: those are words, and who asks for them alone may mean anything. A code of
 * a problem means itself, whatever its form.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))
