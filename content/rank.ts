import MiniSearch, { type AsPlainObject } from 'minisearch'
import { isReference } from './reference.ts'
import { processTerm, searchOptions, tokenize } from './search.ts'

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
export const rankingOf = (parsed: AsPlainObject): Ranking =>
  rankingWith(MiniSearch.loadJS(parsed, searchOptions), parsed)

/** The same in small steps: whoever calls meanwhile waits for a step, and not for the index. */
export async function loadRankingInSteps(searchJson: string): Promise<Ranking> {
  const parsed = indexFrom(searchJson)
  return rankingWith(await MiniSearch.loadJSAsync(parsed, searchOptions), parsed)
}

function rankingWith(index: MiniSearch, parsed: AsPlainObject): Ranking {
  const counts = pagesPerTerm(parsed)
  const pages = pagesOf(parsed)
  const postingsOf = rememberedPostings(index, counts, pages)
  const sums = new Float64Array(pages.length)
  return (terms, limit) => {
    const found: number[] = []
    for (const term of telling(terms, counts, pages.length)) {
      const { places, scores } = postingsOf(term)
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? 0
        const sum = sums[place] ?? 0
        if (sum === 0) found.push(place)
        sums[place] = sum + (scores[at] ?? 0)
      }
    }
    return best(found, sums, limit).map(({ place, score }) => linkTo(pages[place], score))
  }
}

/** Sorted and once each: the order of a question's words changes neither its answer nor its key. */
export function termsOf(query: string): string[] {
  const terms = new Set<string>()
  for (const word of tokenize(query)) {
    const term = stemOf(word)
    if (term !== null) terms.add(term)
  }
  return [...terms].sort()
}

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

type Page = Omit<RankedLink, 'score'>

/** By address, so that of two pages that are equally good the first comes first. */
function pagesOf(parsed: AsPlainObject): Page[] {
  const pages = Object.entries(parsed.documentIds).map(([id, url]) => {
    const { title, description } = parsed.storedFields[id] ?? {}
    return { url: String(url), title: String(title), description: String(description) }
  })
  return pages.toSorted((one, other) => (one.url < other.url ? -1 : 1))
}

const linkTo = (page: Page | undefined, score: number): RankedLink => ({
  url: page?.url ?? '',
  title: page?.title ?? '',
  description: page?.description ?? '',
  score,
})

/** Which pages a term speaks for, and how much. */
type Postings = { readonly places: Int32Array; readonly scores: Float64Array }

/** Some fifty megabytes at most, and less than one on a site of some hundred pages. */
const rememberedPlacesMax = 4_000_000
const rememberedTermsMax = 20_000

/**
 * What a page scores for several terms is the sum of what it scores for each, so MiniSearch is
 * asked for a term once and its answer kept: the index never changes while it is loaded.
 */
function rememberedPostings(
  index: MiniSearch,
  counts: ReadonlyMap<string, number>,
  pages: readonly Page[],
): (term: string) => Postings {
  const placeOf = new Map(pages.map(({ url }, place) => [url, place]))
  const known = new Map<string, Postings>()
  let kept = 0
  return term => {
    const before = known.get(term)
    if (before !== undefined) return before
    const places: number[] = []
    const scores: number[] = []
    index.search(term, {
      tokenize: text => [text],
      processTerm: one => one,
      // Only a word that no page has can be a slip of the keys; for every other, near words are
      // noise.
      fuzzy: one => (one.length >= 5 && !counts.has(one) ? 0.2 : false),
      // What it walks past is all that is wanted: so it neither keeps nor sorts what it found.
      filter: ({ id, score }) => {
        places.push(placeOf.get(String(id)) ?? 0)
        scores.push(score * weightOf(String(id)))
        return false
      },
    })
    const postings = { places: Int32Array.from(places), scores: Float64Array.from(scores) }
    kept += places.length
    for (const [oldest, { places: gone }] of known) {
      if (kept <= rememberedPlacesMax && known.size < rememberedTermsMax) break
      known.delete(oldest)
      kept -= gone.length
    }
    known.set(term, postings)
    return postings
  }
}

/** Words that ask rather than say what about: “how do webhooks work” is about webhooks. */
const asking = new Set(
  ['work', 'mean', 'explain', 'tell', 'show', 'know', 'help', 'find'].map(word =>
    processTerm(word),
  ),
)

/**
 * The terms that decide. A word that asks counts only alone; and on a large site so does a word
 * that most pages hold, which tells them apart least and costs the most.
 */
function telling(
  terms: readonly string[],
  pages: ReadonlyMap<string, number>,
  total: number,
): readonly string[] {
  const most = Math.max(500, total / 2)
  const rarer = terms.filter(term => (pages.get(term) ?? 0) <= most && !asking.has(term))
  return rarer.some(term => pages.has(term)) ? rarer : terms
}

function pagesPerTerm(parsed: AsPlainObject): Map<string, number> {
  const field = Object.values(parsed.fieldIds)[0] ?? 0
  return new Map(
    parsed.index.map(([term, byField]) => [term, Object.keys(byField[field] ?? {}).length]),
  )
}

/**
 * A page of the reference is short and made of names, which outweighs prose that explains them. It
 * is for who asks by name; a question in words is answered by a guide.
 */
const referenceWeight = 0.5
const weightOf = (url: string) => (isReference(url) ? referenceWeight : 1)

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
function indexFrom(searchJson: string): AsPlainObject {
  const parsed: unknown = JSON.parse(searchJson)
  if (typeof parsed !== 'object' || parsed === null || !('index' in parsed)) {
    throw new Error('The search index of the site is not a MiniSearch index.')
  }
  if (!Array.isArray(parsed.index)) throw new Error('The search index of the site holds no terms.')
  return parsed as AsPlainObject
}
