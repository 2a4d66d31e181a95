// See docs/decisions/0069-search-with-minisearch-as-it-is.md.
import MiniSearch, { type AsPlainObject } from 'minisearch'
import { elsewhere } from './elsewhere.ts'
import { emergencyTerm } from './emergency.ts'
import { isName, isTopic, topicTerm, wordOf } from './question.ts'
import { type Read, readerOf } from './reading.ts'
import type { Related } from './related.ts'
import { scorer } from './score.ts'
import { isPair, processTerm, type SearchDocument, searchOptions } from './terms.ts'

/**
 * Ranks pages for a question. `/ask` uses this code and the build measures it, so the published
 * quality is the quality of `/ask`.
 * MiniSearch finds misspelled and unfinished words. score.ts scores all other words with its
 * formula, except for one factor: the number of matched terms, which favors long pages. On
 * Cranfield (1,400 texts, 225 questions), nDCG@10 is 0.536 without the factor, 0.488 with it, and
 * 0.448 for MiniSearch with its defaults. The slowest question of 500 characters takes 30 ms.
 */

type Page = Pick<RankedLink, 'url' | 'title' | 'description'>

export type RankedLink = {
  /** A path on the site. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** BM25 score, rounded to nine decimals so the order of addition can't decide between pages. */
  readonly score: number
  /** The terms of the question that the page has. */
  readonly asked: readonly string[]
  /** The page's matching terms, which differ from `asked` only for a misspelled word. */
  readonly found: readonly string[]
}

/**
 * The best pages for terms from `termsOf`. While a question is being typed, `typing` is its last
 * word, which may be incomplete.
 */
export type Ranking = (terms: readonly string[], limit: number, typing?: string) => RankedLink[]

/** A build's output: an index as MiniSearch loads it, and its pages' names in code. */
export type SearchIndex = AsPlainObject & {
  readonly named?: Readonly<Record<string, string>>
  readonly related?: Related
  /**
   * The minimum score per word of the question. Below this score, a page mentions the words only in
   * passing.
   */
  readonly floor?: number
}

export const loadRanking = (searchJson: string): Ranking => rankingOf(parseIndex(searchJson))

export function rankingOf(index: SearchIndex): Ranking {
  return helpFirst(rankingBy(MiniSearch.loadJS<SearchDocument>(index, searchOptions), index))
}

/** Loads the index in small steps, so a gateway that loads a new build keeps responding. */
export async function loadRankingAsync(searchJson: string): Promise<Ranking> {
  const written = parseIndex(searchJson)
  const index = await MiniSearch.loadJSAsync<SearchDocument>(written, searchOptions)
  return helpFirst(rankingBy(index, written))
}

/**
 * The cast is safe because the build wrote this text for this MiniSearch and these options; two
 * fields that another file would lack are checked first.
 */
function parseIndex(searchJson: string): SearchIndex {
  const parsed: unknown = JSON.parse(searchJson)
  if (typeof parsed !== 'object' || parsed === null || !('index' in parsed)) {
    throw new Error('The search index of the site must be a MiniSearch index.')
  }
  if (!Array.isArray(parsed.index)) throw new Error('The search index of the site must hold terms.')
  return parsed as SearchIndex
}

/**
 * In an emergency, puts the top of the emergency page first, because that page says what to do now.
 */
const helpFirst =
  (rank: Ranking): Ranking =>
  (terms, limit, typing) => {
    const links = rank(terms, limit, typing)
    return terms.includes(emergencyTerm)
      ? links.map((link, at) => (at === 0 ? { ...link, found: [] } : link))
      : links
  }

/** Words that ask or greet rather than name a subject: “how do webhooks work” is about webhooks. */
const asking = new Set(
  [
    'work mean explain tell show know help find per handle much learn take happen long use',
    'hi hello hey dear thanks please regards sincerely cheers sorry hope wonder',
    'someone anyone anybody somebody really just actually totally currently',
  ]
    .flatMap(words => words.split(' '))
    .map(word => processTerm(word)),
)

/** The weight of a pair of neighboring words, in addition to each word's own. */
const pairWeight = 0.4

/** A synonym's weight. */
const relatedWeight = 0.3

const countOf = (pages: object) => Object.keys(pages).length

function rankingBy(index: MiniSearch<SearchDocument>, written: SearchIndex): Ranking {
  /** The number of pages with each term. */
  const known = new Map(written.index.map(([term, { 0: on = {} }]) => [term, countOf(on)]))
  const read = readerOf(known)
  const common = commonTerms(written)
  const isElsewhere = elsewhere({ ...written, asking })
  const { search, best, pageByName } = searcher(index, written, known, common)

  return (terms, limit, typing) => {
    const names = terms.filter(isName)
    if (typing === undefined) {
      const whole = read(terms)
      const named = names.flatMap(name => pageByName.get(name) ?? [])
      const links = best(search(whole), named, limit)
      const [first] = links
      const isOff = named.length === 0 && isElsewhere(whole.asked, first?.asked ?? [], first?.score)
      return isOff ? [] : links
    }
    const isFinished = asking.has(processTerm(typing)) || common.has(stemOf(typing))
    const beginning = isFinished ? undefined : beginningOf(typing, known)
    const isWhole = (term: string) => beginning === undefined || wordOf(term) !== stemOf(typing)
    const whole = read(terms.filter(isWhole))
    const typed = beginning === undefined ? whole.asked : [...whole.asked, beginning]
    const topics = beginning === undefined ? [] : [topicTerm(typed)]
    const codes = names.filter(name => !isTopic(name))
    // A word with a code character may become an operation's name, but not a topic's.
    const isCode = codes.some(name => /[._:/]/.test(name))
    const begunNames = isCode ? [...codes, ...topics] : [...topics, ...codes]
    const begun = [...new Set(begunNames.flatMap(name => begunBy(pageByName, name)))]
    const links = best(search(whole, beginning), begun.slice(0, completionsMax), limit)
    return begun.length === 0 && isElsewhere(typed, links[0]?.asked ?? []) ? [] : links
  }
}

function searcher(
  index: MiniSearch<SearchDocument>,
  written: SearchIndex,
  known: ReadonlyMap<string, number>,
  common: ReadonlySet<string>,
) {
  const pages = new Map(
    Object.entries(written.storedFields).map(([at, fields]) => [Number(at), fields as Page]),
  )
  const { score, has } = scorer(written, written.nextId)
  const numbers = new Map([...pages].map(([at, { url }]) => [url, at]))
  const pageByName = new Map(
    Object.entries(written.named ?? {}).map(([name, url]) => [name, numbers.get(url)]),
  )

  /** Question words, and words on most pages, count only if no other word is known. */
  const decisive = (terms: readonly string[]) => {
    const rarer = terms.filter(term => !common.has(term) && !asking.has(term))
    return rarer.some(term => known.has(term)) ? rarer : terms
  }

  const search = ({ asked: words, counts }: Read, beginning?: string) => {
    const meant = new Set(words.flatMap(word => written.related?.[word] ?? []))
    const related = [...meant].filter(term => known.has(term) && !counts.has(term))
    const given = [...counts.keys(), ...related]
    const terms = [...decisive(given), ...(beginning ? [beginning] : [])]
    const boostTerm = (term: string) =>
      (isPair(term) ? pairWeight : 1) *
      (related.includes(term) ? relatedWeight : (counts.get(term) ?? 1))
    const exact = terms.filter(term => known.has(term) && term !== beginning)
    const scores = score(exact, boostTerm)
    // Only a word that no page has can be misspelled. For other words, similar words are noise.
    const others = terms.filter(term => !known.has(term) || term === beginning)
    const alike = others.length === 0 ? [] : likeThese(index, others, boostTerm, beginning)
    for (const { id, score: added, queryTerms } of alike) {
      const page = numbers.get(id) ?? 0
      scores[page] = (scores[page] ?? 0) + added / queryTerms.length
    }
    return {
      scores,
      linkOf({ at, page, score }: ScoredPage): RankedLink {
        const had = exact.filter(term => has(term, at))
        const { queryTerms = [], terms = [] } = alike.find(({ id }) => id === page.url) ?? {}
        return { ...page, score, asked: [...had, ...queryTerms], found: [...had, ...terms] }
      },
    }
  }

  /** The best pages, after the pages with the question's name. */
  const best = (
    { scores, linkOf }: ReturnType<typeof search>,
    named: readonly number[],
    limit: number,
  ): RankedLink[] => {
    const found: ScoredPage[] = []
    for (const [at, page] of pages) {
      const score = round(scores[at] ?? 0)
      if (score > 0) found.push({ at, page, score })
    }
    for (const at of named.toReversed()) putFirst(found, at, pages.get(at))
    return found.sort(byScore).slice(0, limit).map(linkOf)
  }
  return { search, best, pageByName }
}

/** The pages with a name that starts like this, the shortest name first. */
function begunBy(pageByName: ReadonlyMap<string, number | undefined>, beginning: string) {
  if (beginning.length <= nameMin) return []
  const begun = [...pageByName].filter(([name]) => name.startsWith(beginning))
  begun.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
  return begun.flatMap(([, page]) => page ?? [])
}

/** Pages with words that begin or are spelled like these. */
const likeThese = (
  index: MiniSearch<SearchDocument>,
  terms: readonly string[],
  boostTerm: (term: string) => number,
  beginning?: string,
) =>
  index.search(terms.join(' '), {
    tokenize: text => text.split(' '),
    processTerm: term => term,
    boostTerm,
    prefix: term => term === beginning,
    weights,
    fuzzy: term => (term.length >= 5 && term !== beginning ? 0.2 : false),
    maxFuzzy: editsMax,
  })

/** A word with at least this many letters is completed. */
const beginningMin = 3
/** The sign before a name adds one letter. */
const nameMin = beginningMin + 1
const completionsMax = 5

const stemOf = (word = '') => processTerm(word) ?? word

/**
 * The longest start of an unfinished word that is also a term's start: terms are stems, so
 * “idempotenc” becomes `idempot`. Undefined if the word is short, is a stop word, or may be
 * misspelled.
 */
function beginningOf(word: string, known: ReadonlyMap<string, number>): string | undefined {
  if (processTerm(word) === null) return undefined
  // A name in code may also begin with the word, such as `idempotencyKey`; a stem comes first.
  const stems = [word, `${word}y`].map(stemOf)
  const stem = stems.find(each => known.has(each) && word.startsWith(each))
  if (stem !== undefined) return stem
  const terms = [...known.keys()]
  const least = Math.max(beginningMin, Math.ceil(word.length * 0.6))
  for (let length = word.length; length >= least; length--) {
    const beginning = word.slice(0, length)
    if (terms.some(term => term.startsWith(beginning))) return beginning
  }
  return undefined
}

/** A completion counts little compared with a word that is already complete. */
const weights = { fuzzy: 0.45, prefix: 0.1 }

/** The limit for long misspelled words, because each edit multiplies the terms to compare. */
const editsMax = 3

const round = (score: number) => Math.round(score * 1e9) / 1e9

type ScoredPage = { readonly at: number; readonly page: Page; readonly score: number }

const byScore = (one: ScoredPage, other: ScoredPage) =>
  other.score - one.score || (one.page.url < other.page.url ? -1 : 1)

/** Adds the best score to one page's score, and adds the page if it wasn't found. */
function putFirst(found: ScoredPage[], at: number, page: Page | undefined): void {
  const best = found.reduce((highest, { score }) => Math.max(highest, score), 1)
  const before = found.findIndex(each => each.at === at)
  const { score = 1 } = found[before] ?? {}
  if (before >= 0) found.splice(before, 1)
  if (page) found.push({ at, page, score: round(best + score) })
}

/** On a large site, the terms on most pages, which distinguish pages least and cost the most. */
function commonTerms({ documentCount, index }: SearchIndex): Set<string> {
  const most = Math.max(500, documentCount / 2)
  if (documentCount <= most) return new Set()
  const found = index.filter(([, { 0: counts = {} }]) => Object.keys(counts).length > most)
  return new Set(found.map(([term]) => term))
}

/** Maps unbounded BM25 scores to a range below `max`, keeping their order. */
export const boundedScore = (score: number, max: number): number =>
  Math.round((max * score * 1e4) / (score + 1)) / 1e4
