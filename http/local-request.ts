// Whether a request was made on this machine, by a page of this server or by a person. Any program
// of this machine can claim that, so what the answer holds must not be secret from it.
import { isLoopback } from './host-check.ts'
import type { HttpRequest } from './http-request.ts'

/** Who asks, as browsers state it in `Sec-Fetch-Site`; null: a program that is no browser. */
export type FetchSite = 'same-origin' | 'none' | null

/** Added by proxies and tunnels, behind which the caller may be on any machine. */
const forwarding = /^(forwarded|via|x-forwarded-.+|x-real-ip|cf-.+)$/

/** A page of another site cannot set `Sec-Fetch-Site`, and a name that points here is refused. */
export function isLocalRequest(
  { headers, url, address }: HttpRequest,
  from: readonly FetchSite[],
): boolean {
  const origin = headers.get('origin')
  return (
    isLoopback(address ?? '') &&
    isLoopback(url.hostname) &&
    from.some(site => site === headers.get('sec-fetch-site')) &&
    (origin === null || origin === url.origin) &&
    ![...headers.keys()].some(name => forwarding.test(name))
  )
}
