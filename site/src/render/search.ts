import { nameTerm, type SearchIndex } from '#content/ranking/rank.ts'
import { processTerm, type SearchDocument, tokenize } from '#content/ranking/terms.ts'
import { isReference, problemPath } from '#content/reference.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  text: string
  /** The names of the page in code: a question that is one of them is about this page. */
  names?: string[]
  /** The topics of a guide, as terms: a question that names one is about this guide. */
  topics?: string[]
}

const titleWeight = 3
const questionWeight = 2

/**
 * One field of text. The title, the words of the address and the questions of a page weigh more by
 * being repeated.
 */
export function searchDocument(page: SearchPage): SearchDocument {
  const { url, title, description, questions, text } = page
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  // People type and remember addresses, so their words are a second title.
  const titles = Array<string>(titleWeight).fill(`${title}\n${url}`)
  const asked = Array<string>(questionWeight).fill(questions.join(' '))
  return { url, title, description, text: [...titles, description, prose, ...asked].join('\n') }
}

/**
 * The index as MiniSearch loads it. Pages go in by address, and terms by the alphabet, so the same
 * pages give the same bytes. It is counted here instead of by MiniSearch's `addAll`, which takes
 * 1.8 s for 1,000 articles where this takes 0.6, and a build needs two; a test holds the two to
 * each other.
 */
export function searchIndex(unsorted: SearchPage[]): string {
  const pages = unsorted.toSorted((one, other) => one.url.localeCompare(other.url))
  const { terms, lengths } = countTerms(pages.map(page => searchDocument(page).text))
  // Pages of the reference are a few words each: counted in, they would make every text a long one.
  const texts = lengths.filter((_, at) => !isReference(pages[at]?.url ?? ''))
  const total = texts.reduce((sum, length) => sum + length, 0)
  const byPage = <Value>(value: (page: SearchPage, at: number) => Value) =>
    Object.fromEntries(pages.map((page, at) => [at, value(page, at)]))
  const named = pages.flatMap(({ url, names = [], topics = [] }) =>
    [...names.filter(name => isCode(name, url)).map(nameTerm), ...topics].map(
      (name): [string, string] => [name, url],
    ),
  )
  const index: SearchIndex = {
    documentCount: pages.length,
    nextId: pages.length,
    documentIds: byPage(({ url }) => url),
    fieldIds: { text: 0 },
    fieldLength: byPage((_, at) => [lengths[at] ?? 0]),
    averageFieldLength: [total / Math.max(1, texts.length)],
    storedFields: byPage(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    index: [...terms]
      .sort(byFirst)
      .map(([term, counts]) => [term, { 0: Object.fromEntries(counts) }]),
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(byFirst)),
  }
  return JSON.stringify(index)
}

/** For each term how often it occurs in each text, and how many different words each text has. */
function countTerms(texts: string[]) {
  const terms = new Map<string, Map<number, number>>()
  const countsOf = new Map<string, Map<number, number> | null>()
  const learn = (word: string) => {
    const term = processTerm(word)
    const counts = term === null ? null : (terms.get(term) ?? new Map<number, number>())
    if (term !== null && counts !== null) terms.set(term, counts)
    countsOf.set(word, counts)
    return counts
  }
  const lengths = texts.map((text, page) => {
    const words = new Map<string, number>()
    for (const word of tokenize(text)) words.set(word, (words.get(word) ?? 0) + 1)
    for (const [word, times] of words) {
      const counts = countsOf.get(word) ?? (countsOf.has(word) ? null : learn(word))
      counts?.set(page, (counts.get(page) ?? 0) + times)
    }
    return words.size
  })
  return { terms, lengths }
}

const byFirst = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

/**
 * Not `Case` or `Event`, which are also plain words. A problem code always means itself.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))
