// The idempotency store for dry runs. Dry runs behave as in production but store
// responses only in this process's memory, for at most an hour.
import { hourMilliseconds } from '#contract/moments.ts'
import { LRUCache } from 'lru-cache'
import type { Answer, Call, IdempotencyStore, Outcome } from './store.ts'

const callsMax = 1000
const keptMilliseconds = hourMilliseconds

/** `answer` is absent while the work runs. */
type StoredCall = { readonly content: string; answer?: Answer }

export function createMemoryStore(): IdempotencyStore {
  const calls = new LRUCache<string, StoredCall>({
    max: callsMax,
    ttl: keptMilliseconds,
    ttlResolution: 1000,
  })
  // A scope is a single line that we write, so two requests never share a name.
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
