/** A word that may have been meant, and how many letters lie between. */
export type Near = { readonly number: number; readonly distance: number }

/**
 * Finds the words within so many insertions, deletions and replacements of one that is not there.
 * The words are in alphabetical order, so neighbours share their beginnings: what was computed for
 * the shared letters stands, and a beginning that is already too far is passed over with all its
 * words.
 */
export function wordsNear(words: readonly string[]): (word: string, most: number) => Near[] {
  const shared = Uint16Array.from(words, (word, at) => sharedWith(words[at - 1] ?? '', word))
  return (wanted, most) => {
    const found: Near[] = []
    const rows = openRows(wanted, most)
    // Letters of the last word that was looked at whose rows stand; those at which it was too far.
    let [standing, tooFar] = [0, Infinity]
    for (let number = 0; number < words.length; number++) {
      const same = shared[number] ?? 0
      if (same >= tooFar) continue
      const word = words[number] ?? ''
      standing = Math.min(standing, same)
      tooFar = Infinity
      while (standing < word.length) {
        standing++
        if (rows.write(standing, word.charCodeAt(standing - 1)) > most) {
          tooFar = standing
          break
        }
      }
      if (tooFar < Infinity) continue
      const distance = rows.last(standing)
      if (distance <= most) found.push({ number, distance })
    }
    return found
  }
}

function sharedWith(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one[at] === other[at]) at++
  return at
}

/**
 * Levenshtein's table, one row for each letter of a word, of which only the cells near the diagonal
 * can be within the bound. Those beside them hold more than it.
 */
function openRows(wanted: string, most: number) {
  const width = wanted.length + 2
  const beyond = most + 1
  const cells = new Uint8Array(width * (wanted.length + most + 2)).fill(beyond)
  for (let at = 0; at <= Math.min(most, wanted.length); at++) cells[at] = at
  return {
    /** Writes the row of a letter, and answers its smallest distance. */
    write(row: number, letter: number): number {
      const [above, here] = [(row - 1) * width, row * width]
      const first = Math.max(1, row - most)
      const last = Math.min(wanted.length, row + most)
      let left = first === 1 ? Math.min(row, beyond) : beyond
      let smallest = left
      if (first === 1) cells[here] = left
      for (let at = first; at <= last; at++) {
        const replaced =
          (cells[above + at - 1] ?? beyond) + (wanted.charCodeAt(at - 1) === letter ? 0 : 1)
        const added = 1 + Math.min(left, cells[above + at] ?? beyond)
        left = Math.min(replaced, added, beyond)
        cells[here + at] = left
        if (left < smallest) smallest = left
      }
      return smallest
    },
    last: (row: number): number => cells[row * width + wanted.length] ?? beyond,
  }
}
