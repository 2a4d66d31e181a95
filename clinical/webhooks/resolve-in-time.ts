// Limits how long registering an endpoint waits for DNS. The call holds a database connection
// meanwhile, so a resolver that's down must not block all calls.

import type { Resolve } from '#http/outgoing/addresses.ts'

const timeoutMilliseconds = 1000
/** The timeout after a late response, until a response is in time again. */
const timeoutAfterLateMilliseconds = 50
const pendingMax = 100

class ResolveTimeout extends Error {}

/** Wraps a resolver. Concurrent calls for one name share a lookup, and each call rejects after a
 *  timeout. */
export function inTime(resolve: Resolve, milliseconds = timeoutMilliseconds): Resolve {
  const pending = new Map<string, Promise<readonly string[]>>()
  let wasLate = false
  const ask = (host: string) => {
    const began = performance.now()
    const answer = resolve(host).finally(() => {
      pending.delete(host)
      // "Not found" is a response too.
      wasLate = performance.now() - began > milliseconds
    })
    pending.set(host, answer)
    return answer
  }
  return async host => {
    if (!pending.has(host) && pending.size >= pendingMax)
      throw new ResolveTimeout('too many DNS lookups are pending')
    const answer = pending.get(host) ?? ask(host)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => {
        wasLate = true
        late.reject(new ResolveTimeout('the resolver did not respond in time'))
      },
      wasLate ? Math.min(milliseconds, timeoutAfterLateMilliseconds) : milliseconds,
    )
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
  }
}
