import { wordsNear } from './near.ts'
import {
  type Counted,
  countedIn,
  type NamedIndex,
  type Page,
  type Postings,
  readPostings,
} from './postings.ts'
import { processTerm, tokenize } from './search.ts'

/**
 * How pages are ranked for a question. `/ask` answers with it and the build judges it, so the
 * published quality is that of the very code that answers.
 */

export type RankedLink = {
  /** A path of the site. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** BM25, rounded to nine decimals so that no order of addition can decide between two pages. */
  readonly score: number
}

/** The best pages for terms that `termsOf` made of a question. */
export type Ranking = (terms: readonly string[], limit: number) => RankedLink[]

export function loadRanking(searchJson: string): Ranking {
  return rankingOf(indexFrom(searchJson))
}

/** The same for an index that was never text. */
export function rankingOf(index: Counted): Ranking {
  const steps = readPostings(index)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return rankingBy(value)
  }
}

/** The same in small steps: whoever calls meanwhile waits for a step, and not for the index. */
export async function loadRankingInSteps(searchJson: string): Promise<Ranking> {
  const steps = readPostings(indexFrom(searchJson))
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return rankingBy(value)
    await new Promise(resolve => setImmediate(resolve))
  }
}

function rankingBy(postings: Postings): Ranking {
  const { pages, numberOf, starts, places, scores, named } = postings
  const meantBy = slips(postings)
  const sums = new Float64Array(pages.length)
  const found: number[] = []
  const add = (number: number, weight: number) => {
    const end = starts[number + 1] ?? 0
    for (let at = starts[number] ?? 0; at < end; at++) {
      const place = places[at] ?? 0
      const sum = sums[place] ?? 0
      if (sum === 0) found.push(place)
      sums[place] = sum + weight * (scores[at] ?? 0)
    }
  }
  return (terms, limit) => {
    found.length = 0
    for (const term of telling(terms.filter(isOfText), postings)) {
      const number = numberOf.get(term)
      if (number !== undefined) add(number, 1)
      else for (const meant of meantBy(term)) add(meant.number, meant.weight)
    }
    const meant = terms.flatMap(term => named.get(term) ?? [])[0]
    if (meant !== undefined) {
      const most = found.reduce((highest, place) => Math.max(highest, sums[place] ?? 0), 1)
      if (sums[meant] === 0) found.push(meant)
      // Above all others by its own score, and where it has none, by one.
      sums[meant] = most + (sums[meant] || 1)
    }
    return best(found, sums, limit).map(({ place, score }) => linkTo(pages[place], score))
  }
}

/** Sorted and once each: the order of a question's words changes neither its answer nor its key. */
export function termsOf(query: string): string[] {
  const terms = new Set<string>()
  const name = query.trim().replace(/^[`'"“]+|[`'"”?]+$/g, '')
  if (/^(?:[a-z]+ (?=\/))?[\w./:{}-]{3,80}$/i.test(name)) terms.add(nameTerm(name))
  for (const word of tokenize(query)) {
    const term = stemOf(word)
    if (term !== null) terms.add(term)
  }
  return [...terms].sort()
}

/**
 * A question that is nothing but a name in code, such as `createPatient`, `case.queued.v1` or
 * `POST /v1/cases`, is also a term of its own. No word of a text begins like it.
 */
export const nameTerm = (name: string) => `=${name.toLowerCase()}`
const isOfText = (term: string) => !term.startsWith('=')

const stems = new Map<string, string | null>()
const stemsMax = 20_000

/** Questions are made of the same words again and again, and a stem is a hundred rules. */
function stemOf(word: string): string | null {
  let stem = stems.get(word)
  if (stem === undefined) {
    stem = processTerm(word)
    if (stems.size >= stemsMax) stems.clear()
    stems.set(word, stem)
  }
  return stem
}

const linkTo = (page: Page | undefined, score: number): RankedLink => ({
  url: page?.url ?? '',
  title: page?.title ?? '',
  description: page?.description ?? '',
  score,
})

type Meant = { readonly number: number; readonly weight: number }

const rememberedSlipsMax = 4096

/**
 * Only a word that no page has can be a slip of the keys; for every other, near words are noise. As
 * MiniSearch does it: a fifth of the letters may be wrong, and each makes a word count less.
 */
function slips({ terms }: Postings): (term: string) => readonly Meant[] {
  const near = wordsNear(terms)
  const remembered = new Map<string, readonly Meant[]>()
  return term => {
    if (term.length < 5) return []
    const before = remembered.get(term)
    if (before !== undefined) return before
    const meant = near(term, Math.min(6, Math.round(term.length * 0.2))).map(
      ({ number, distance }) => {
        const { length } = terms[number] ?? ''
        return { number, weight: (0.45 * length) / (length + distance) }
      },
    )
    if (remembered.size >= rememberedSlipsMax) remembered.clear()
    remembered.set(term, meant)
    return meant
  }
}

/** Words that ask rather than say what about: “how do webhooks work” is about webhooks. */
const asking = new Set(
  'work mean explain tell show know help find per handle much learn take happen long use'
    .split(' ')
    .map(word => processTerm(word)),
)

/**
 * The terms that decide. A word that asks counts only alone; and on a large site so does a word
 * that most pages hold, which tells them apart least and costs the most.
 */
function telling(
  terms: readonly string[],
  { numberOf, starts, pages }: Postings,
): readonly string[] {
  const most = Math.max(500, pages.length / 2)
  const countOf = (term: string) => {
    const number = numberOf.get(term)
    return number === undefined ? 0 : (starts[number + 1] ?? 0) - (starts[number] ?? 0)
  }
  const rarer = terms.filter(term => countOf(term) <= most && !asking.has(term))
  return rarer.some(term => numberOf.has(term)) ? rarer : terms
}

type Placed = { readonly place: number; readonly score: number }

/** The best of what was found, best first; leaves the sums as they were before, all zero. */
function best(found: readonly number[], sums: Float64Array, limit: number): Placed[] {
  const kept: Placed[] = []
  for (const place of found) {
    const score = Math.round((sums[place] ?? 0) * 1e9) / 1e9
    sums[place] = 0
    const last = kept.at(-1)
    if (kept.length === limit && last !== undefined && score < last.score) continue
    const link = { place, score }
    let at = kept.length
    for (
      let above = kept[at - 1];
      above !== undefined && precedes(link, above);
      above = kept[at - 1]
    )
      at--
    kept.splice(at, 0, link)
    if (kept.length > limit) kept.pop()
  }
  return kept
}

function precedes(one: Placed, other: Placed): boolean {
  return one.score === other.score ? one.place < other.place : one.score > other.score
}

/**
 * The cast holds because the build wrote this text with the same MiniSearch and the same options;
 * the two members that a foreign file would lack are checked first.
 */
function indexFrom(searchJson: string): Counted {
  const parsed: unknown = JSON.parse(searchJson)
  if (typeof parsed !== 'object' || parsed === null || !('index' in parsed)) {
    throw new Error('The search index of the site is not a MiniSearch index.')
  }
  if (!Array.isArray(parsed.index)) throw new Error('The search index of the site holds no terms.')
  return countedIn(parsed as NamedIndex)
}
