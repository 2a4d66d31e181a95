// The idempotency store for dry runs. They behave as in production but store nothing except in this
// process's memory, for an hour at most.
import { hourMilliseconds } from '#contract/moments.ts'
import { LRUCache } from 'lru-cache'
import type { Answer, Call, IdempotencyStore, Outcome } from './store.ts'

const callsMax = 1000
const keptMilliseconds = hourMilliseconds

/** No answer exists while the work runs. */
type StoredCall = { readonly content: string; answer?: Answer }

export function createMemoryStore(): IdempotencyStore {
  const calls = new LRUCache<string, StoredCall>({
    max: callsMax,
    ttl: keptMilliseconds,
    ttlResolution: 1000,
  })
  // A scope is one line of our own text, so no two requests have the same name.
  const nameOf = ({ scope, key }: Call) => `${scope}\n${key}`
  const find = (call: Call, name = nameOf(call)): Outcome | undefined => {
    const kept = calls.get(name)
    if (kept === undefined) return undefined
    if (kept.content !== call.content) return { kind: 'conflict' }
    if (kept.answer === undefined) return { kind: 'in_flight', retrySeconds: 1 }
    return { kind: 'answered', answer: kept.answer, replayed: true }
  }
  return {
    find: async call => find(call),
    async keep(call, answer) {
      const name = nameOf(call)
      const before = find(call, name)
      if (before !== undefined) return before
      calls.set(name, { content: call.content, answer })
      return { kind: 'answered', answer, replayed: false }
    },
    async once(call, work) {
      const before = find(call)
      if (before !== undefined) return before
      const kept: StoredCall = { content: call.content }
      calls.set(nameOf(call), kept)
      try {
        const answer = await work()
        if (answer.status < 300) kept.answer = answer
        return { kind: 'answered', answer, replayed: false }
      } finally {
        if (kept.answer === undefined) calls.delete(nameOf(call))
      }
    },
  }
}
