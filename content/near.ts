/** A word that may have been meant, and how many letters lie between. */
export type Near = { readonly number: number; readonly distance: number }

/**
 * Finds the words within so many insertions, deletions and replacements of one that is not there.
 * The words are in alphabetical order, and are walked as the tree of their beginnings: what was
 * computed for the letters of a beginning stands for all its words, and one that is already too far
 * is passed over with all of them.
 */
export function wordsNear(words: readonly string[]): (word: string, most: number) => Near[] {
  const { letters, depths, ends, numbers } = treeOf(words)
  return (wanted, most) => {
    const found: Near[] = []
    const rows = openRows(wanted, most)
    const deepest = wanted.length + most
    let node = 0
    while (node < letters.length) {
      const depth = depths[node] ?? 0
      if (depth > deepest || rows.write(depth, letters[node] ?? 0) > most) {
        node = ends[node] ?? Infinity
        continue
      }
      const number = numbers[node] ?? -1
      if (number >= 0) {
        const distance = rows.last(depth)
        if (distance <= most) found.push({ number, distance })
      }
      node++
    }
    return found
  }
}

/** One node for each beginning, in alphabetical order. */
function treeOf(words: readonly string[]) {
  const shared = Uint16Array.from(words, (word, at) => sharedWith(words[at - 1] ?? '', word))
  const size = words.reduce((sum, word, at) => sum + word.length - (shared[at] ?? 0), 0)
  const letters = new Uint16Array(size)
  const depths = new Uint16Array(size)
  /** Where the first node is that does not begin so. */
  const ends = new Uint32Array(size).fill(size)
  /** Of the word that ends here, if one does. */
  const numbers = new Int32Array(size).fill(-1)
  /** The nodes of the word before, by their depth. */
  const open: number[] = []
  let node = 0
  for (const [number, word] of words.entries()) {
    const same = shared[number] ?? 0
    for (const closed of open.splice(same + 1)) ends[closed] = node
    for (let depth = same + 1; depth <= word.length; depth++) {
      letters[node] = word.charCodeAt(depth - 1)
      depths[node] = depth
      open[depth] = node++
    }
    if (word.length > same) numbers[node - 1] = number
  }
  return { letters, depths, ends, numbers }
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
