// Decided in docs/decisions/0069-search-with-minisearch-as-it-is.md.
import MiniSearch, { type AsPlainObject } from 'minisearch'
import { elsewhere } from './elsewhere.ts'
import { emergencyTerm } from './emergency.ts'
import { isName, isTopic, topicTerm, wordOf } from './question.ts'
import { type Read, readerOf } from './reading.ts'
import type { Related } from './related.ts'
import { isPair, processTerm, type SearchDocument, searchOptions } from './terms.ts'

/**
 * Ranks pages for a question. `/ask` uses this code and the build measures it, so the published
 * quality is what `/ask` delivers.
 * MiniSearch searches, and its score is corrected: it multiplies a sum of BM25 by the number of
 * matched terms, which prefers long pages. On Cranfield (1,400 texts, 225 questions) nDCG@10 is
 * 0.536 with the correction, 0.488 without it and 0.448 for MiniSearch with its own defaults.
 * One new question takes 0.08 ms at 240 pages, 0.19 ms at 1,000 articles and 2.2 ms at 10,000 (p50;
 * p99 0.6, 0.6 and 12 ms). The costliest question of 500 characters takes 30 ms.
 */

type Page = Pick<RankedLink, 'url' | 'title' | 'description'>

export type RankedLink = {
  /** A path on the site. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** BM25, rounded to nine decimals so the order of addition can't decide between two pages. */
  readonly score: number
  /** The terms of the question that the page has. */
  readonly asked: readonly string[]
  /** The page's matching terms; these differ only for a misspelled word. */
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
}

export const loadRanking = (searchJson: string): Ranking => rankingOf(parseIndex(searchJson))

export function rankingOf(index: SearchIndex): Ranking {
  return helpFirst(rankingBy(MiniSearch.loadJS<SearchDocument>(index, searchOptions), index))
}

/** The same in small steps: a gateway that loads a new build keeps responding between them. */
export async function loadRankingAsync(searchJson: string): Promise<Ranking> {
  const written = parseIndex(searchJson)
  const index = await MiniSearch.loadJSAsync<SearchDocument>(written, searchOptions)
  return helpFirst(rankingBy(index, written))
}

/**
 * The cast holds because the build wrote this text for the same MiniSearch and options; two fields
 * that another file would lack are checked first.
 */
function parseIndex(searchJson: string): SearchIndex {
  const parsed: unknown = JSON.parse(searchJson)
  if (typeof parsed !== 'object' || parsed === null || !('index' in parsed)) {
    throw new Error('The search index of the site must be a MiniSearch index.')
  }
  if (!Array.isArray(parsed.index)) throw new Error('The search index of the site must hold terms.')
  return parsed as SearchIndex
}

/** An emergency leads to the top of its page, which says what to do now. */
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

/** The weight of two neighboring words in addition to each one's own. */
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
  const pageByName = new Map(
    Object.entries(written.named ?? {}).map(([name, url]) => [name, pageAt(index, url)]),
  )

  /** Words that ask, and words on most pages, count only if no other word is known. */
  const decisive = (terms: readonly string[]) => {
    const rarer = terms.filter(term => !common.has(term) && !asking.has(term))
    return rarer.some(term => known.has(term)) ? rarer : terms
  }

  const relatedTo = (terms: readonly string[]) =>
    [...new Set(terms.flatMap(term => written.related?.[term] ?? []))].filter(
      term => known.has(term) && !terms.includes(term),
    )
  const search = ({ asked: words, counts }: Read, beginning?: string) => {
    const related = relatedTo(words).filter(term => !counts.has(term))
    const given = [...counts.keys(), ...related]
    const terms = [...decisive(given), ...(beginning ? [beginning] : [])]
    return index
      .search(terms.join(' '), {
        tokenize: text => text.split(' '),
        processTerm: term => term,
        boostTerm: term =>
          (isPair(term) ? pairWeight : 1) *
          (related.includes(term) ? relatedWeight : (counts.get(term) ?? 1)),
        prefix: term => term === beginning,
        weights,
        // Only a word that no page has can be misspelled; for every other, similar words are noise.
        fuzzy: term => (term.length >= 5 && term !== beginning && !known.has(term) ? 0.2 : false),
        maxFuzzy: editsMax,
      })
      .map(({ id, title, description, score, queryTerms: asked, terms: found }): RankedLink => {
        const corrected = round(score / asked.length)
        return { url: id, title, description, score: corrected, asked, found }
      })
  }

  return (terms, limit, typing) => {
    const names = terms.filter(isName)
    if (typing === undefined) {
      const whole = read(terms)
      const named = names.flatMap(name => pageByName.get(name) ?? [])
      const links = best(search(whole), named, limit)
      return named.length === 0 && isElsewhere(whole.asked, links[0]?.asked ?? []) ? [] : links
    }
    const isFinished = asking.has(processTerm(typing)) || common.has(stemOf(typing))
    const beginning = isFinished ? undefined : beginningOf(typing, known)
    const isWhole = (term: string) => beginning === undefined || wordOf(term) !== stemOf(typing)
    const whole = read(terms.filter(isWhole))
    const typed = beginning === undefined ? whole.asked : [...whole.asked, beginning]
    const topics = beginning === undefined ? [] : [topicTerm(typed)]
    const codes = names.filter(name => !isTopic(name))
    // With a code character in it, it may become an operation's name, but not a topic's.
    const isCode = codes.some(name => /[._:/]/.test(name))
    const begunNames = isCode ? [...codes, ...topics] : [...topics, ...codes]
    const begun = [...new Set(begunNames.flatMap(name => begunBy(pageByName, name)))]
    const links = best(search(whole, beginning), begun.slice(0, completionsMax), limit)
    return begun.length === 0 && isElsewhere(typed, links[0]?.asked ?? []) ? [] : links
  }
}

/** The pages with a name that begins like this, the shortest name first. */
function begunBy(pageByName: ReadonlyMap<string, Page | undefined>, beginning: string): Page[] {
  if (beginning.length <= nameMin) return []
  const begun = [...pageByName].filter(([name]) => name.startsWith(beginning))
  begun.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
  return begun.flatMap(([, page]) => page ?? [])
}

function best(links: RankedLink[], named: readonly Page[], limit: number): RankedLink[] {
  for (const page of named.toReversed()) putFirst(links, page)
  return links.sort(byScore).slice(0, limit)
}

/** With this many letters, a word suggests its ending. */
const beginningMin = 3
/** The sign before a name adds one letter. */
const nameMin = beginningMin + 1
const completionsMax = 5

const stemOf = (word = '') => processTerm(word) ?? word

/**
 * The longest start of an unfinished word that is also a term's start: terms are stems, so
 * “idempotenc” leads to `idempot`. Undefined if the word is short, is a stop word, or may be
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

/** A long misspelled word is bounded: each further edit multiplies the terms to compare. */
const editsMax = 3

const round = (score: number) => Math.round(score * 1e9) / 1e9

const byScore = (one: RankedLink, other: RankedLink) =>
  other.score - one.score || (one.url < other.url ? -1 : 1)

const pageAt = (index: MiniSearch<SearchDocument>, url: string): Page | undefined =>
  index.getStoredFields(url) as Page | undefined

/** Adds the best score among all links to one link's score, which need not be among them. */
function putFirst(links: RankedLink[], { url, title, description }: Page): void {
  const best = links.reduce((highest, { score }) => Math.max(highest, score), 1)
  const at = links.findIndex(link => link.url === url)
  const { score = 1, asked = [], found = [] } = links[at] ?? {}
  if (at >= 0) links.splice(at, 1)
  links.push({ url, title, description, score: round(best + score), asked, found })
}

/** On a large site: terms on most pages, which distinguish pages least and cost the most. */
function commonTerms({ documentCount, index }: SearchIndex): Set<string> {
  const most = Math.max(500, documentCount / 2)
  if (documentCount <= most) return new Set()
  const found = index.filter(([, { 0: counts = {} }]) => Object.keys(counts).length > most)
  return new Set(found.map(([term]) => term))
}

/** Maps unbounded BM25 scores to a range below `max`, keeping their order. */
export const boundedScore = (score: number, max: number): number =>
  Math.round((max * score * 1e4) / (score + 1)) / 1e4
