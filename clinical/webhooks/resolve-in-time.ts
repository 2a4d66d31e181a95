// How long the registration of an endpoint waits for a resolver. It holds a connection to the
// database meanwhile, so one resolver that is down must not have every call of the house wait.

import type { Resolve } from './delivery/addresses.ts'

const patienceMilliseconds = 1000
/** After a resolver was late, until it is in time again. */
const impatienceMilliseconds = 50
const askedMax = 100

class Late extends Error {}

/** Asks the same for each name once at a time, and rejects when the answer is not there in time. */
export function inTime(resolve: Resolve, milliseconds = patienceMilliseconds): Resolve {
  const asked = new Map<string, Promise<readonly string[]>>()
  let wasLate = false
  const ask = (host: string) => {
    const began = performance.now()
    const answer = resolve(host).finally(() => {
      asked.delete(host)
      // A name that nobody has is an answer as well.
      wasLate = performance.now() - began > milliseconds
    })
    asked.set(host, answer)
    return answer
  }
  return async host => {
    if (!asked.has(host) && asked.size >= askedMax) throw new Late('too many names are waited for')
    const answer = asked.get(host) ?? ask(host)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => {
        wasLate = true
        late.reject(new Late('the resolver did not answer in time'))
      },
      wasLate ? Math.min(milliseconds, impatienceMilliseconds) : milliseconds,
    )
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
  }
}
