// Answers that do not change while a build lies there, kept by what was asked for.
import { LRUCache } from 'lru-cache'
import type { EndpointCall, Plain } from './endpoint-router.ts'

/** A longer address than people and their programs send is answered, and not kept. */
const lengthMax = 600

/** Answers a call as `answer` does, and the same call at once the next time. What throws is not
 *  kept. The least recently used of `most` answers goes first. */
export function remembered<C extends Pick<EndpointCall, 'search'>>(
  most: number,
  answer: (call: C) => Plain,
): (call: C) => Plain {
  const known = new LRUCache<string, Plain>({ max: most })
  return call => {
    const { search } = call
    const before = known.get(search)
    if (before !== undefined) return before
    const made = answer(call)
    if (search.length > lengthMax) return made
    known.set(search, made)
    return made
  }
}
