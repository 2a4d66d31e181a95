import MiniSearch, { type AsPlainObject, type SearchResult } from 'minisearch'
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
  const pages = pagesPerTerm(parsed)
  return (terms, limit) => rank(index, pages, terms, limit)
}

/** Sorted and once each: the order of a question's words changes neither its answer nor its key. */
export function termsOf(query: string): string[] {
  const terms = new Set<string>()
  for (const word of tokenize(query)) {
    const term = processTerm(word)
    if (term !== null) terms.add(term)
  }
  return [...terms].sort()
}

function rank(
  index: MiniSearch,
  pages: ReadonlyMap<string, number>,
  terms: readonly string[],
  limit: number,
): RankedLink[] {
  const best: RankedLink[] = []
  index.search(telling(terms, pages, index.documentCount).join(' '), {
    tokenize: text => text.split(' '),
    processTerm: term => term,
    // Only a word that no page has can be a slip of the keys; for every other, near words are
    // noise.
    fuzzy: term => (term.length >= 5 && !pages.has(term) ? 0.2 : false),
    // Keeping the best while MiniSearch walks its matches spares it from sorting all of them.
    filter: result => {
      keep(best, result, limit)
      return false
    },
  })
  return best
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

/**
 * MiniSearch multiplies a page's score by the number of matched terms, which costs ranking quality.
 */
function keep(best: RankedLink[], result: SearchResult, limit: number): void {
  const weight = isReference(String(result.id)) ? referenceWeight : 1
  const score = Math.round(((result.score * weight) / result.queryTerms.length) * 1e9) / 1e9
  const last = best.at(-1)
  if (best.length === limit && last !== undefined && score < last.score) return
  const { url, title, description } = result
  const link = { url: String(url), title: String(title), description: String(description), score }
  let at = best.length
  for (let above = best[at - 1]; above !== undefined && precedes(link, above); above = best[at - 1])
    at--
  best.splice(at, 0, link)
  if (best.length > limit) best.pop()
}

function precedes(one: RankedLink, other: RankedLink): boolean {
  return one.score === other.score ? one.url < other.url : one.score > other.score
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
