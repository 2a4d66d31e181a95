import { nameTerm } from '#content/ranking/question.ts'
import type { SearchIndex } from '#content/ranking/rank.ts'
import type { Related } from '#content/ranking/related.ts'
import { pairsOf, processTerm, termsIn, tokenize } from '#content/ranking/terms.ts'
import { isReference, problemPath } from '#content/reference.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  /** Other words readers use to search for the page. */
  asked?: string
  text: string
  /** The page's names in code. A question that is one of these names is about this page. */
  names?: string[]
  /** A guide's topics as terms. A question that contains one of these terms is about this guide. */
  topics?: string[]
}

/**
 * Each field's word weight and length normalization (BM25F), tuned on the half of the readers'
 * questions that is reserved for tuning.
 */
const fields = {
  title: { weight: 1.25, length: 0.3 },
  description: { weight: 1, length: 0.5 },
  asked: { weight: 3, length: 0.6 },
  text: { weight: 0.5, length: 0.6 },
} as const

type Field = keyof typeof fields
const names = Object.keys(fields) as Field[]

/** Counts are whole quarters, which take fewer characters. The search's `k` is in the same unit. */
const scale = 4

/**
 * A result's minimum score relative to its words' rarity, if pages have readers' wordings. This
 * minimum rejects none of the development half's questions.
 */
const floor = 3

function wordsOf({ url, title, description, questions, asked = '', text }: SearchPage) {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  return {
    // Adds the URL's words to the title, because people type and remember URLs.
    title: tokenize(`${title} ${url}`),
    description: tokenize(description),
    asked: tokenize([...questions, asked].join(' ')),
    text: tokenize(prose),
  }
}

/**
 * The index of these pages, and a blind one without readers' wordings. Pages are ordered by URL and
 * terms alphabetically, so the same pages produce the same bytes. The counts include BM25F's
 * weights, so MiniSearch, which searches the index, needs no weights.
 */
export function searchIndexes(
  unsorted: SearchPage[],
  related: Related = {},
): { blind: SearchIndex; index: SearchIndex } {
  const pages = unsorted.toSorted((one, other) => one.url.localeCompare(other.url))
  const words = pages.map(wordsOf)
  const weights = weightsOf(pages, words)
  const terms: Terms = new Map()
  const count = (field: Field) => {
    for (const [at, all] of words.entries()) {
      const weight = weights[at]?.[field] ?? 0
      for (const word of all[field]) add(terms, processTerm(word), at, weight)
    }
  }
  for (const field of names.filter(name => name !== 'asked')) count(field)
  const blind = indexOf(pages, terms)
  count('asked')
  for (const [at, page] of pages.entries()) countPairs(terms, at, page)
  const asks = words.some(({ asked }) => asked.length > 0)
  return { blind, index: { ...indexOf(pages, terms), related, ...(asks && { floor }) } }
}

/** How much each term counts on each page. */
type Terms = Map<string, Map<number, number>>

function add(terms: Terms, term: string | null, page: number, weight: number): void {
  if (term === null) return
  const counts = terms.get(term) ?? new Map<number, number>()
  terms.set(term, counts.set(page, (counts.get(page) ?? 0) + weight))
}

/** How much one word in each field of each page counts. */
function weightsOf(pages: readonly SearchPage[], words: readonly Record<Field, string[]>[]) {
  // Leaves out reference pages, whose few words would make every other text count as long.
  const own = words.filter((_, at) => !isReference(pages[at]?.url ?? ''))
  const average = (field: Field) =>
    own.reduce((sum, each) => sum + each[field].length, 0) / Math.max(1, own.length)
  const averages = names.map(field => [field, average(field) || 1] as const)
  return words.map(each =>
    Object.fromEntries(
      averages.map(([field, usual]) => {
        const { weight, length } = fields[field]
        return [field, weight / (1 - length + (length * each[field].length) / usual)]
      }),
    ),
  )
}

/** Pairs of neighboring words in a page's search phrases: its headings and questions. */
function countPairs(terms: Terms, at: number, { url, questions, asked = '', text }: SearchPage) {
  if (isReference(url)) return
  const headings = [...text.matchAll(/^#{2,4} (.*)$/gm)].map(([, heading = '']) => heading)
  const phrases = [...headings, ...questions, ...asked.split(';')]
  for (const pair of phrases.flatMap(phrase => pairsOf(termsIn(phrase)))) add(terms, pair, at, 1)
}

/** Builds the index in the form MiniSearch loads. */
function indexOf(pages: SearchPage[], terms: Terms): SearchIndex {
  const byPage = <Value>(value: (page: SearchPage) => Value) =>
    Object.fromEntries(pages.map((page, at) => [at, value(page)]))
  const named = pages.flatMap(({ url, names = [], topics = [] }) =>
    [...names.filter(name => isCode(name, url)).map(nameTerm), ...topics].map(
      (name): [string, string] => [name, url],
    ),
  )
  const whole = (counts: ReadonlyMap<number, number>) =>
    [...counts].map(([at, count]) => [at, Math.max(1, Math.round(scale * count))])
  return {
    documentCount: pages.length,
    nextId: pages.length,
    documentIds: byPage(({ url }) => url),
    fieldIds: { text: 0 },
    // The counts already include the lengths.
    fieldLength: byPage(() => [1]),
    averageFieldLength: [1],
    storedFields: byPage(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    // Sorted without a comparator, which would take half a second for 1,000 articles.
    index: [...terms.keys()]
      .sort()
      .map(term => [term, { 0: Object.fromEntries(whole(terms.get(term) ?? new Map())) }]),
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(byFirst)),
  }
}

const byFirst = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

/**
 * Whether a name is clearly code, unlike `Case` and `Event`. A problem code is always clearly code.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))
