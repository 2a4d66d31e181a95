// Whether a request was made on this machine, by one of this server's pages or by a person. Any
// program on this machine can imitate such a request, so the response must contain no secret.
import { isLoopback } from './host-check.ts'
import type { HttpRequest } from './http-request.ts'
import { opensPage } from './origins/own-origin.ts'

/**
 * The sender of a request, judged by browser headers. `page` is one of this server's pages.
 * `person` used the address bar, or a link that opens in a tab, where no other page can read the
 * response. `program` isn't a browser.
 */
export type Asker = 'page' | 'person' | 'program'

/** Added by proxies and tunnels; the caller behind a proxy or tunnel may be on any machine. */
const forwarding = /^(forwarded|via|x-forwarded-.+|x-real-ip|cf-.+)$/

/** Pages can't forge the headers that this function reads. Host names other than this machine's own
 *  are refused, even if such a name resolves to this machine. */
export function isLocalRequest(request: HttpRequest, from: readonly Asker[]): boolean {
  const { headers, url, address } = request
  const origin = headers.get('origin')
  return (
    isLoopback(address ?? '') &&
    isLoopback(url.hostname) &&
    from.some(asker => asker === askerOf(request)) &&
    (origin === null || origin === url.origin) &&
    ![...headers.keys()].some(name => forwarding.test(name))
  )
}

function askerOf({ headers, method }: HttpRequest): Asker | null {
  const site = headers.get('sec-fetch-site')
  if (site === null) return 'program'
  if (site === 'same-origin') return 'page'
  const opensTab = opensPage({ method, header: name => headers.get(name) })
  return site === 'none' || opensTab ? 'person' : null
}
