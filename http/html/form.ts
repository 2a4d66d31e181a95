// Page forms. A page on any site can make a visitor's browser send a form here, and the request
// counts against the visitor's address. Browser headers show which site's page sent a form.
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { IncomingMessage } from 'node:http'
import { readNodeBytes } from '../read-bytes.ts'
import type { HttpRequest } from '../http-request.ts'

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** Whether a Content-Type is that of a form sent without a script. */
const isFormType = (type: string | null | undefined): boolean => formType.test(type ?? '')

export const isForm = ({ headers }: HttpRequest): boolean => isFormType(headers.get('content-type'))

/** The size and time limits for a form from a page. */
export const formLimits = {
  bytesMax: limits.bodyBytesMax,
  depthMax: limits.bodyDepthMax,
  takesJsonSuffix: false,
  milliseconds: limits.bodySecondsMax * 1000,
}

/** Reads a form's fields; a body that isn't a form has none. */
export async function formOf(request: HttpRequest): Promise<URLSearchParams> {
  const bytes = await request.body()
  return new URLSearchParams(isForm(request) ? new TextDecoder().decode(bytes) : '')
}

/** Larger than any page's or OAuth form. */
export const formBytesMax = 16_384

/** Reads the fields of a form sent to node:http. */
export async function readNodeForm(
  request: IncomingMessage,
): Promise<URLSearchParams | 'no form' | 'too large'> {
  if (!isFormType(request.headers['content-type'])) return 'no form'
  const bytes = await readNodeBytes(request, formBytesMax)
  return bytes === 'too large' ? bytes : new URLSearchParams(bytes.toString('utf8'))
}

/**
 * Refuses requests from other sites' pages, by Sec-Fetch-Site or Origin. No page can forge these
 * headers, and programs send neither.
 */
export function refuseOtherSites({ headers, url }: HttpRequest): void {
  const from = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  // A proxy may have decrypted the request, so the scheme is not compared.
  const isOwn =
    from === null
      ? origin === null || URL.parse(origin)?.host === url.host
      : from === 'same-origin' || from === 'none'
  if (!isOwn) throw new Problem('cross_site_request')
}
