import { pairsOf, termsIn } from './terms.ts'

/** For a term in a question, or a pair of terms, the pages' terms with the same meaning. */
export type Related = Readonly<Record<string, readonly string[]>>

/** A word's term; for a phrase, the pair of its first two words. */
function keyOf(phrase: string) {
  const terms = termsIn(phrase)
  return pairsOf(terms)[0] ?? terms[0]
}

const parts = (list: string) => list.split(',').map(each => each.trim())

/** Reads `content/related.yaml`: readers' words, with our words for each. */
export function relatedOf(lines: Readonly<Record<string, string>>): Related {
  const related = new Map<string, Set<string>>()
  for (const [readers, ours] of Object.entries(lines)) {
    for (const key of parts(readers).flatMap(phrase => keyOf(phrase) ?? [])) {
      const all = related.get(key) ?? new Set()
      related.set(key, all)
      for (const term of parts(ours).flatMap(termsIn)) if (term !== key) all.add(term)
    }
  }
  return Object.fromEntries([...related].sort().map(([key, all]) => [key, [...all].sort()]))
}
