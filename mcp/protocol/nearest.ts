// Finds the nearest candidate by edit distance, for "Did you mean …?".

const lengthMax = 100

/** Of two equally near candidates, the first in alphabetical order. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > lengthMax) return undefined
  const farthest = Math.max(2, Math.floor(word.length / 2))
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of [...candidates].sort()) {
    const distance = distanceBetween(word, candidate)
    if (distance <= farthest && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance }
    }
  }
  return best?.candidate
}

/** The Levenshtein distance, computed row by row. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [column, against] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === against ? 0 : 1)
      const inserted = (next[column] ?? 0) + 1
      const deleted = (row[column + 1] ?? 0) + 1
      next.push(Math.min(replaced, inserted, deleted))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
