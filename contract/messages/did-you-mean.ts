// Suggests what a misspelled name or value was probably meant to be.

import { distance } from 'fastest-levenshtein'

const lengthMax = 100
const containedMin = 3

/** Returns the candidate with the fewest edits, unless more than half of the word would have to
 *  change. Otherwise, returns the candidate with the fewest edits that contains the word or all
 *  its parts, such as `webhook_endpoint` for `endpoint`. Ties go to the alphabetically first. Case
 *  is ignored. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > lengthMax) return undefined
  const editsMax = Math.max(2, Math.floor(word.length / 2))
  const wanted = word.toLowerCase()
  const parts = partsOf(wanted)
  const contains = (candidate: string) =>
    wanted.length >= containedMin &&
    (candidate.includes(wanted) ||
      (parts.length > 0 && parts.every(part => partsOf(candidate).includes(part))))
  return candidates
    .map(candidate => {
      const edits = distance(wanted, candidate.toLowerCase())
      return { candidate, edits, isNear: edits <= editsMax }
    })
    .filter(({ candidate, isNear }) => isNear || contains(candidate.toLowerCase()))
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))[0]?.candidate
}

const partsOf = (text: string): string[] => text.split(/[^a-z0-9]+/).filter(part => part !== '')
