import { stopwords } from '@orama/stopwords/english'
import type { Options } from 'minisearch'
import stem from 'wink-porter2-stemmer'

/**
 * How text becomes terms. The build that writes the index and the gateway that searches it import
 * this module, because both must stem the same way.
 */

/** A page in the index. Its URL, a path, is its ID and breaks ties between scores. */
export type SearchDocument = { url: string; title: string; description: string; text: string }

const unquote = (text: string) => text.replace(/['\u2019]/g, '')
const stops = new Set(stopwords.map(unquote))

/** Words consist of letters and digits: `case.approved.v1` is three words, `don't` is one. */
export function tokenize(text: string): string[] {
  return unquote(text.normalize('NFKD').toLowerCase()).match(/[a-z0-9]+/g) ?? []
}

/** Synonyms with our pages' word for each. The list has only pairs that no page distinguishes. */
const synonyms = {
  doctor: 'clinician',
  physician: 'clinician',
  meeting: 'call',
  demo: 'call',
  schedule: 'book',
  sdks: 'sdk',
}

const termBySynonym = new Map(
  Object.entries(synonyms).map(([synonym, word]) => [stem(synonym), stem(word)]),
)

/** Caches stems, because words repeat and stemming a word takes as long as searching for it. */
const stems = new Map<string, string>()
const stemsMax = 20_000
const rememberedMax = 30

export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const made = stem(word)
  if (stems.size === stemsMax) stems.clear()
  if (word.length <= rememberedMax) stems.set(word, made)
  return made
}

/** Whether every text has the word, such as “the”. */
export const isStop = (word: string): boolean => stops.has(word)

/** A stemmed term, or null for a stop word. */
export function processTerm(term: string): string | null {
  if (isStop(term) || term.length === 1) return null
  // The stemmer treats a digit before a vowel as a consonant, so “503a” would be “50ya”.
  const stemmed = /\d/.test(term) ? term : stemOf(term)
  return termBySynonym.get(stemmed) ?? stemmed
}

/** The terms of words, without stop words. */
export const processTerms = (words: readonly string[]): string[] =>
  words.map(processTerm).filter(term => term !== null)

/** A text's terms, in its order. */
export const termsIn = (text: string): string[] => processTerms(tokenize(text))

/** Two adjacent words as their own term. No word in a text contains the term's underscore. */
const pairTerm = (one: string, other: string) => `${one}_${other}`

export const isPair = (term: string) => term.includes('_')

/** The pairs of adjacent terms. */
export const pairsOf = (terms: readonly string[]): string[] =>
  terms.slice(1).map((term, at) => pairTerm(terms[at] ?? '', term))

export const bm25 = { k: 12, b: 0, d: 0 }

/**
 * One field, whose counts the build weights and normalizes (site/src/machine/search.ts), so `b` is
 * 0 and `k` is in quarters of a word. There are no prefixes and no fuzzy matching, which cost
 * precision in every run we measured.
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
