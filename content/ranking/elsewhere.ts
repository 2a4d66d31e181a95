import type { Related } from './related.ts'
import { isPair } from './terms.ts'

/** A question is off topic if the best page has a smaller share of its words. */
const sharedMin = 0.4

/** The same share when words from our other pages count less. */
const oursMin = 0.5
const otherPages = 0.2

/**
 * The maximum weight of a word. Rare and unknown words have this weight, and common words have
 * less.
 */
const tellingMax = 3

/** Two distinctive words are enough to name a subject, even in a long question. */
const subjectMin = 2 * tellingMax

type Searched = {
  readonly documentCount: number
  readonly index: readonly (readonly [string, { readonly [field: string]: object }])[]
  readonly related?: Related
  readonly floor?: number
  /** Terms that ask rather than name a subject. */
  readonly asking: ReadonlySet<string | null>
}

/**
 * Returns a function that decides, from the terms that the best page matched and its score, whether
 * those terms cover too little of the question for the page to answer it. Calibrated on the
 * development half of `judged/`, where the function refuses no question (see bench/README.md).
 */
export function elsewhere({ documentCount, index, related, asking, floor = 0 }: Searched) {
  const pages = new Map(index.map(([term, { 0: counts = {} }]) => [term, counts]))
  const weights = new Map<string, number>()
  /** Undefined for a word that no page has. */
  const weightOf = (word: string) => {
    const found = pages.get(word)
    const known = weights.get(word)
    if (found === undefined || known !== undefined) return known
    const count = Object.keys(found).length
    const weight = Math.log(1 + (documentCount - count + 0.5) / (count + 0.5))
    weights.set(word, weight)
    return weight
  }
  const unknownWeight = Math.log(2 * (documentCount + 1))
  return (words: readonly string[], matched: readonly string[], score = Infinity): boolean => {
    let [shared, others, unknown, total] = [0, 0, 0, 0]
    for (const word of words) {
      if (isPair(word) || asking.has(word)) continue
      const rarity = weightOf(word)
      total += rarity ?? unknownWeight
      const weight = rarity && Math.min(tellingMax, rarity)
      const isMatched = (term: string) => matched.includes(term)
      if (isMatched(word) || related?.[word]?.some(isMatched) === true)
        shared += weight ?? tellingMax
      else if (weight === undefined) unknown += tellingMax
      else others += weight
    }
    if (score < floor * total) return true
    return (
      shared < subjectMin &&
      shared < sharedMin * (shared + others + unknown) &&
      shared < oursMin * (shared + otherPages * others + unknown)
    )
  }
}
