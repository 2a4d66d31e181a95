import type { RankedLink } from './rank.ts'
import { processTerm, tokenize } from './terms.ts'

const wordShape = /[\p{L}\p{N}]+/gu

/** The words in a text that matched the search, and where each starts. */
export function foundIn(text: string, found: ReadonlySet<string>) {
  const words = [...text.matchAll(wordShape)].map(({ 0: word, index }) => ({ word, index }))
  return words.filter(({ word }) => found.has(processTerm(word.toLowerCase()) ?? ''))
}

/** Splits a text into parts, and marks the words that matched the search. */
export function markedParts(
  text: string,
  found: readonly string[],
): { text: string; isMarked: boolean }[] {
  const parts: { text: string; isMarked: boolean }[] = []
  let from = 0
  for (const { word, index } of foundIn(text, new Set(found))) {
    parts.push({ text: text.slice(from, index), isMarked: false }, { text: word, isMarked: true })
    from = index + word.length
  }
  return [...parts, { text: text.slice(from), isMarked: false }].filter(part => part.text !== '')
}

const alsoMax = 6

/** Words searched as synonyms, as the pages spell them. */
export function alsoFor(query: string, links: readonly RankedLink[]): string[] {
  const asked = new Set(tokenize(query).map(processTerm))
  const words = new Map<string, string>()
  for (const { title, description, found } of links) {
    for (const word of `${title} ${description}`.toLowerCase().match(wordShape) ?? []) {
      const term = processTerm(word)
      if (term !== null && found.includes(term) && !asked.has(term)) words.set(term, word)
    }
  }
  return [...words.values()].slice(0, alsoMax)
}
