import { distance } from 'fastest-levenshtein'

const lengthMax = 100

/** Returns the candidate with the fewest edits, or undefined if more than half of the word would
 *  have to change. Ties go to the alphabetically first. Case is ignored. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > lengthMax) return undefined
  const editsMax = Math.max(2, Math.floor(word.length / 2))
  const wanted = word.toLowerCase()
  return candidates
    .map(candidate => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))[0]?.candidate
}
