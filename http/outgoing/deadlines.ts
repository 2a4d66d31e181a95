// Time limits of any number of requests with one timer, which runs only while there are some.
// Limits of one length end in the order they started, so only the first of each length is looked
// at.

type Limit = { readonly endsAt: number; readonly end: () => void }

/** How late a deadline can be. */
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

/** Calls `end` after this time, unless what it returns is called before. */
export function endAfter(milliseconds: number, end: () => void): () => void {
  const limits = byLength.get(milliseconds) ?? new Set()
  byLength.set(milliseconds, limits)
  const limit = { endsAt: performance.now() + milliseconds, end }
  limits.add(limit)
  timer ??= setInterval(tick, tickMilliseconds)
  return () => void limits.delete(limit)
}
