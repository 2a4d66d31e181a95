import { isAside, isName, wordOf } from './question.ts'
import { speller } from './spelling.ts'
import { isPair } from './terms.ts'

/** The weight of a misspelled word, and of a word in a sentence that doesn't ask. */
const spelledWeight = 0.8
const asideWeight = 0.15

/** The limit on corrected words per question, because finding corrections is slow. */
const spelledMax = 6

/** The question's words as pages spell them, with their known pairs, and every word's weight. */
export type Read = {
  readonly asked: readonly string[]
  readonly counts: ReadonlyMap<string, number>
}

/** Reads a question's terms for an index. `known` has the index's terms with their pages. */
export function readerOf(known: ReadonlyMap<string, number>) {
  const spell = speller(known)
  const isUnknown = (word: string) => !known.has(word)
  return (terms: readonly string[]): Read => {
    const words = terms.filter(term => !isName(term) && !isPair(term))
    const unknown = new Set(words.map(wordOf).filter(isUnknown).slice(0, spelledMax))
    const spelled = (word: string) => (unknown.has(word) ? spell(word) : [word])
    const counts = new Map<string, number>()
    const add = (word: string, weight: number) => {
      for (const each of spelled(word)) {
        const count = each === word ? weight : weight * spelledWeight
        if (count > (counts.get(each) ?? 0)) counts.set(each, count)
      }
    }
    for (const word of words) if (!isAside(word)) add(word, 1)
    for (const pair of terms.filter(isPair)) {
      const right = known.has(pair) ? pair : pair.split('_').map(spelled).join('_')
      if (known.has(right)) counts.set(right, right === pair ? 1 : spelledWeight)
    }
    const asked = [...counts.keys()]
    for (const word of words.filter(isAside)) add(wordOf(word), asideWeight)
    return { asked, counts }
  }
}
