// Records when this process responded to the request that consumed a token. A request that arrived
// before then is concurrent. A later request may be a retry after a lost response. For tokens that
// another gateway consumed, the database records when, but not when that gateway responded.

import { LRUCache } from 'lru-cache'
import { limits } from '#contract/limits.ts'

export type ResponseTimes = ReturnType<typeof createResponseTimes>

const keptMax = 10_000

export function createResponseTimes() {
  const times = new LRUCache<string, number>({
    max: keptMax,
    ttl: limits.refreshGraceSeconds * 1000,
  })
  return {
    /** Runs the statement that consumes a token; returns whether this request came first. */
    async consuming(name: string, commit: () => Promise<boolean>): Promise<boolean> {
      if (!times.has(name)) times.set(name, Number.POSITIVE_INFINITY)
      const isFirst = await commit().catch((failure: unknown) => {
        // The token may have been stored without the client getting a response, so the client
        // should send it again.
        times.delete(name)
        throw failure
      })
      // The second request may finish before the first request, which then sends its response
      // later.
      if (isFirst || times.get(name) === Number.POSITIVE_INFINITY) {
        times.set(name, performance.now())
      }
      return isFirst
    },
    /** Whether a request that arrived at this time was sent before the response, or undefined if
     *  another process responded. */
    cameBefore(name: string, arrived: number): boolean | undefined {
      const answered = times.get(name)
      return answered === undefined ? undefined : arrived < answered
    },
  }
}
