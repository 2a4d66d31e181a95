// Runs any number of time limits with one timer, which stops when none is left. Limits of the same
// length expire in the order they started, so each check stops at the first unexpired one.

type Limit = { readonly endsAt: number; readonly end: () => void }

/** A limit may end this much late. */
const tickMilliseconds = 20

const byLength = new Map<number, Set<Limit>>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  const now = performance.now()
  let isAnyLeft = false
  for (const limits of byLength.values()) {
    for (const one of limits) {
      if (one.endsAt > now) break
      limits.delete(one)
      one.end()
    }
    isAnyLeft ||= limits.size > 0
  }
  if (isAnyLeft) return
  clearInterval(timer)
  timer = undefined
}

/** Calls `end` after this time, unless the returned function is called first. */
export function endAfter(milliseconds: number, end: () => void): () => void {
  const limits = byLength.get(milliseconds) ?? new Set()
  byLength.set(milliseconds, limits)
  const limit = { endsAt: performance.now() + milliseconds, end }
  limits.add(limit)
  timer ??= setInterval(tick, tickMilliseconds)
  return () => void limits.delete(limit)
}
