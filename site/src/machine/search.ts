import { nameTerm, type SearchIndex } from '#content/ranking/rank.ts'
import type { Related } from '#content/ranking/related.ts'
import { pairsOf, processTerm, tokenize } from '#content/ranking/terms.ts'
import { isReference, problemPath } from '#content/reference.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  /** Other words in which readers ask for the page. */
  asked?: string
  text: string
  /** The names of the page in code: a question that is one of them is about this page. */
  names?: string[]
  /** The topics of a guide, as terms: a question that names one is about this guide. */
  topics?: string[]
}

const titleWeight = 3
const questionWeight = 3

/**
 * Everything of a page but its questions, as one field. The title and the words of the address
 * weigh more by being repeated.
 */
export function proseOf({ url, title, description, text }: SearchPage): string {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  // People type and remember addresses, so their words are a second title.
  const titles = Array<string>(titleWeight).fill(`${title}\n${url}`)
  return [...titles, description, prose].join('\n')
}

/**
 * The index of these pages, and a blind one without their questions. Pages go in by address, and
 * terms by the alphabet, so the same pages give the same bytes. Words are counted here instead of
 * by MiniSearch's `addAll`, which takes three times as long for one; a test holds
 * the two to each other. The blind index is made before the questions are counted too.
 */
export function searchIndexes(
  unsorted: SearchPage[],
  related: Related = {},
): { blind: SearchIndex; index: SearchIndex } {
  const pages = unsorted.toSorted((one, other) => one.url.localeCompare(other.url))
  const counted: Counted = { words: pages.map(() => new Set<string>()), terms: new Map() }
  const countText = counterInto(counted)
  for (const [at, page] of pages.entries()) countText(at, proseOf(page), 1)
  const blind = indexOf(pages, counted)
  for (const [at, page] of pages.entries()) {
    const { questions, asked = '', text } = page
    countText(at, [...questions, asked].join(' '), questionWeight)
    const headings = [...text.matchAll(/^#{2,4} (.*)$/gm)].map(([, heading = '']) => heading)
    const phrases = isReference(page.url) ? [] : [...headings, ...questions, ...asked.split(';')]
    countPairs(counted, at, phrases)
  }
  return { blind, index: { ...indexOf(pages, counted), related } }
}

type Counts = Map<number, number>
type Counted = {
  /** The different words of each page. */
  words: Set<string>[]
  /** For each term how often it occurs on each page. */
  terms: Map<string, Counts>
}

function counterInto({ words, terms }: Counted) {
  const countsOf = new Map<string, Counts | null>()
  const learn = (word: string) => {
    const term = processTerm(word)
    const counts = term === null ? null : (terms.get(term) ?? new Map<number, number>())
    if (term !== null && counts !== null) terms.set(term, counts)
    countsOf.set(word, counts)
    return counts
  }
  return (page: number, text: string, weight: number) => {
    const times = new Map<string, number>()
    for (const word of tokenize(text)) times.set(word, (times.get(word) ?? 0) + weight)
    for (const [word, count] of times) {
      words[page]?.add(word)
      const counts = countsOf.get(word) ?? (countsOf.has(word) ? null : learn(word))
      counts?.set(page, (counts.get(page) ?? 0) + count)
    }
  }
}

/** Pairs of neighbors in the phrases by which a page is named and asked for. */
function countPairs({ terms }: Counted, page: number, phrases: readonly string[]): void {
  for (const pair of phrases.flatMap(phrase => pairsOf(tokenize(phrase)))) {
    const counts = terms.get(pair) ?? new Map<number, number>()
    terms.set(pair, counts.set(page, (counts.get(page) ?? 0) + 1))
  }
}

/** In the form that MiniSearch loads. */
function indexOf(pages: SearchPage[], { words, terms }: Counted): SearchIndex {
  // Pages of the reference are a few words each: counted in, they would make every text a long one.
  const texts = words.filter((_, at) => !isReference(pages[at]?.url ?? ''))
  const total = texts.reduce((sum, { size }) => sum + size, 0)
  const byPage = <Value>(value: (page: SearchPage, at: number) => Value) =>
    Object.fromEntries(pages.map((page, at) => [at, value(page, at)]))
  const named = pages.flatMap(({ url, names = [], topics = [] }) =>
    [...names.filter(name => isCode(name, url)).map(nameTerm), ...topics].map(
      (name): [string, string] => [name, url],
    ),
  )
  return {
    documentCount: pages.length,
    nextId: pages.length,
    documentIds: byPage(({ url }) => url),
    fieldIds: { text: 0 },
    fieldLength: byPage((_, at) => [words[at]?.size ?? 0]),
    averageFieldLength: [total / Math.max(1, texts.length)],
    storedFields: byPage(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    // Sorted without a function, which would take half a second for 1,000 articles.
    index: [...terms.keys()]
      .sort()
      .map(term => [term, { 0: Object.fromEntries(terms.get(term) ?? []) }]),
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(byFirst)),
  }
}

const byFirst = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

/**
 * Not `Case` or `Event`, which are also plain words. A problem code always means itself.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))
