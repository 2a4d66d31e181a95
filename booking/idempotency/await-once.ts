// Lets only one of several concurrent requests do the work. The others await its response.
import type { Answer, Call, IdempotencyStore, Outcome } from './store.ts'

/** A booking takes a few milliseconds, so a waiting request polls often. */
const waitMilliseconds = 20
const waitMillisecondsMax = 3000

/** Like `once`, but a request that's in flight is waited for, up to three seconds. */
export async function awaitOnce(
  store: IdempotencyStore,
  call: Call,
  work: () => Promise<Answer>,
): Promise<Outcome> {
  for (let waited = 0; ; waited += waitMilliseconds) {
    const outcome = await store.once(call, work)
    if (outcome.kind !== 'in_flight' || waited >= waitMillisecondsMax) return outcome
    await Bun.sleep(waitMilliseconds)
  }
}
