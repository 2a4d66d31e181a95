// Forms of pages. A page of any site can have a visitor's browser send a form here, from the
// address against which requests are counted. Browsers state where a form comes from.
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { IncomingMessage } from 'node:http'
import { readNodeBytes } from '../read-bytes.ts'
import type { HttpRequest } from '../http-request.ts'

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** Whether a Content-Type is that of a form without a script. */
const isFormType = (type: string | null | undefined): boolean => formType.test(type ?? '')

export const isForm = ({ headers }: HttpRequest): boolean => isFormType(headers.get('content-type'))

/** The size and time limits for a form from a page. */
export const formLimits = {
  bytesMax: limits.bodyBytesMax,
  depthMax: limits.bodyDepthMax,
  takesJsonSuffix: false,
  milliseconds: limits.bodySecondsMax * 1000,
}

/** The values of a form; a body that is not a form has none. */
export async function formOf(request: HttpRequest): Promise<URLSearchParams> {
  const bytes = await request.body()
  return new URLSearchParams(isForm(request) ? new TextDecoder().decode(bytes) : '')
}

/** Beyond every form of people and of OAuth. */
export const formBytesMax = 16_384

/** The values of a form that was sent to node:http. */
export async function readNodeForm(
  request: IncomingMessage,
): Promise<URLSearchParams | 'no form' | 'too large'> {
  if (!isFormType(request.headers['content-type'])) return 'no form'
  const bytes = await readNodeBytes(request, formBytesMax)
  return bytes === 'too large' ? bytes : new URLSearchParams(bytes.toString('utf8'))
}

/**
 * Refuses what a page of another site has sent. No page can change what these headers say. Programs
 * send neither.
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
