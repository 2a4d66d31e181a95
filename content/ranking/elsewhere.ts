import type { Related } from './related.ts'
import { isPair } from './terms.ts'

/** With a smaller share of its words on the best page, a question is about something else. */
const sharedMin = 0.4

/** What a word tells of the subject of a question: rare words alike, words of most pages little. */
const tellingMax = 3

/** Two telling words are a subject, whatever else a long question says. */
const subjectMin = 2 * tellingMax

type Searched = {
  readonly documentCount: number
  readonly index: readonly (readonly [string, { readonly [field: string]: object }])[]
  readonly related?: Related
  /** Terms that ask rather than name a subject. */
  readonly asking: ReadonlySet<string | null>
}

/**
 * Takes the terms that the best page matched, and says whether they cover too little of the
 * question for the page to answer it. Calibrated on `judged/`: it refuses no question of the
 * development half and about half of the off-topic ones. The others use our pages' words.
 */
export function elsewhere({ documentCount, index, related, asking }: Searched) {
  const pages = new Map(index.map(([term, { 0: counts = {} }]) => [term, counts]))
  const weights = new Map<string, number>()
  const weightOf = (word: string) => {
    const known = weights.get(word)
    if (known !== undefined) return known
    const found = pages.get(word)
    const count = found === undefined ? 0 : Object.keys(found).length
    const weight = Math.log(1 + (documentCount - count + 0.5) / (count + 0.5))
    // What people ask is unbounded; the words of the pages are not.
    if (found !== undefined) weights.set(word, Math.min(tellingMax, weight))
    return Math.min(tellingMax, weight)
  }
  const sumOf = (words: readonly string[]) => words.reduce((sum, word) => sum + weightOf(word), 0)
  return (words: readonly string[], matched: readonly string[]): boolean => {
    const own = words.filter(word => !isPair(word) && !asking.has(word))
    const isOn = (word: string) =>
      [word, ...(related?.[word] ?? [])].some(term => matched.includes(term))
    const shared = sumOf(own.filter(isOn))
    return shared < subjectMin && shared < sharedMin * sumOf(own)
  }
}
