// Limits how many attempts this worker makes concurrently. An attempt holds a socket until its
// response arrives, and counts toward a second, larger limit until its result is recorded.

/** The share of sockets available to all slow endpoints together. The rest are for healthy
 *  endpoints. */
const slowShare = 0.4
/** An attempt that has used this share of its timeout counts as slow, no matter what its endpoint's
 *  history is, so hanging receivers can't use up the sockets for other receivers. */
const hangingShare = 1 / 8
/** How many attempts per socket may wait to be recorded. */
const recordingMax = 3
/** The dispatcher continues after this time even if no socket is free. */
const waitMilliseconds = 50

/** How many attempts can start now, and how many of them for slow endpoints. */
export type Free = { readonly all: number; readonly slow: number }

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

export function createConcurrencyLimit(sockets: number, timeoutSeconds: number) {
  const underWay = new Set<Promise<void>>()
  const sending = new Set<{ isSlow: boolean; since: number }>()
  const slowMax = Math.floor(sockets * slowShare)
  let reserved = 0
  let waiting: (() => void)[] = []

  const free = (): Free => {
    const hangingSince = performance.now() - timeoutSeconds * 1000 * hangingShare
    let slow = 0
    for (const one of sending) if (one.isSlow || one.since < hangingSince) slow++
    const quick = sending.size - slow
    const all = Math.min(
      sockets - quick - Math.min(slow, slowMax),
      (1 + recordingMax) * sockets - underWay.size,
    )
    return { all: Math.max(0, all - reserved), slow: slowMax - slow }
  }
  const isHalfFree = () => 2 * free().all >= sockets

  return {
    underWay,
    isHalfFree,
    /** Reserves everything that's free until `release` is called. */
    reserve(): { free: Free; release(): void } {
      const { all, slow } = free()
      reserved += all
      return {
        free: { all, slow: Math.max(0, Math.min(all, slow)) },
        release: () => void (reserved -= all),
      }
    },
    /** Resolves when half of the sockets are free, or after a short wait. */
    async halfFree(): Promise<void> {
      if (isHalfFree()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      const timer = setTimeout(resolve, waitMilliseconds)
      await promise
      clearTimeout(timer)
    },
    /** Resolves `halfFree`. Call this whenever a slot is released. */
    notify(): void {
      if (waiting.length === 0 || !isHalfFree()) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    /** Takes a socket and returns a function that releases it and may be called repeatedly. */
    acquire(isSlow: boolean): () => void {
      const attempt = { isSlow, since: performance.now() }
      sending.add(attempt)
      return () => void sending.delete(attempt)
    },
  }
}
