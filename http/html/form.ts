// Forms of pages. A page of any site can have a visitor's browser send a form here, from the
// address against which requests are counted. Browsers state where a form comes from.
import { Problem } from '#contract/problems.ts'
import type { RequestContext } from '../request-context.ts'

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** Whether the body is what a form without a script sends. */
export const isForm = ({ request }: RequestContext): boolean =>
  formType.test(request.headers.get('content-type') ?? '')

/** The values of a form; a body that is not a form has none. */
export async function formOf(call: RequestContext): Promise<URLSearchParams> {
  const bytes = await call.body()
  return new URLSearchParams(isForm(call) ? new TextDecoder().decode(bytes) : '')
}

/**
 * Refuses what a page of another site has sent. No page can change what these headers say. Programs
 * send neither.
 */
export function refuseOtherSites({ request, url }: RequestContext): void {
  const { headers } = request
  const from = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  // A proxy may have decrypted the request, so the scheme is not compared.
  const isOwn =
    from === null
      ? origin === null || URL.parse(origin)?.host === url.host
      : from === 'same-origin' || from === 'none'
  if (!isOwn) throw new Problem('cross_site_request')
}
