import { closest, distance } from 'fastest-levenshtein'

/** The word that was probably meant; undefined if no word is close. */
export function nearest(word: string, among: readonly string[]): string | undefined {
  const found = closest(word, among)
  return distance(word, found) <= Math.max(2, word.length / 4) ? found : undefined
}
