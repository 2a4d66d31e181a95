import { stopwords } from '@orama/stopwords/english'
import type { Options } from 'minisearch'
import stem from 'wink-porter2-stemmer'

/**
 * How text becomes terms. The build that writes the index and the gateway that loads it import this
 * one module, because a term stemmed one way and looked up in another is never found.
 */

/** One page as the index sees it. The url, being a path, is its id and its tie-break. */
export type SearchDocument = { url: string; title: string; description: string; text: string }

const unquote = (text: string) => text.replace(/['\u2019]/g, '')
const stops = new Set(stopwords.map(unquote))

/** Words of letters and digits: `case.approved.v1` is three words, `don't` is one. */
export function tokenize(text: string): string[] {
  return unquote(text.normalize('NFKD').toLowerCase()).match(/[a-z0-9]+/g) ?? []
}

/** What people say, and what our pages call it. Only pairs that no page tells apart. */
const sayings = {
  doctor: 'clinician',
  physician: 'clinician',
  meeting: 'call',
  demo: 'call',
  schedule: 'book',
  sdks: 'sdk',
}

const meant = new Map(Object.entries(sayings).map(([said, ours]) => [stem(said), stem(ours)]))

/** A stemmed term, or null for a word that says nothing about its page. */
export function processTerm(term: string): string | null {
  if (stops.has(term) || term.length === 1) return null
  const said = stem(term)
  return meant.get(said) ?? said
}

/** How much a term counts that stands there often (k), in a long text (b), or at all (d). */
export const bm25 = { k: 1.2, b: 0.75, d: 0 } as const

/**
 * One field, because a page's title and questions are weighted by being repeated in it:
 * MiniSearch's own boosts add up per field and spoil the length normalisation. No prefixes and no
 * fuzzy matching, which cost precision in every run we measured.
 */
export const searchOptions: Options<SearchDocument> = {
  idField: 'url',
  fields: ['text'],
  storeFields: ['url', 'title', 'description'],
  tokenize: text => tokenize(text),
  processTerm,
  searchOptions: {
    combineWith: 'OR',
    prefix: false,
    fuzzy: false,
    bm25,
  },
}
