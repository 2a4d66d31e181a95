// The cookies of the portal: the session, the value that binds forms to a browser, and the one that
// binds a sign-in to it.
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import type { RequestContext } from '#http/request-context.ts'

export type CookieName = 'session' | 'form' | 'sign_in'

export function cookieOf(
  { request }: Pick<RequestContext, 'request'>,
  own: OwnOrigin,
  of: CookieName,
): string | null {
  const { name } = own.cookie(of)
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** `value` null removes it. */
export function cookieText(own: OwnOrigin, of: CookieName, value: string | null): string {
  const { name, secure } = own.cookie(of)
  const end = value === null ? '; Max-Age=0' : ''
  return `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${end}`
}

/** The value that binds forms to the browser; new: the answer sets its cookie. */
export type FormBrowser = { readonly value: string; readonly isNew: boolean }

export function browserOf(
  request: Pick<RequestContext, 'request'>,
  { own, randomBytes }: { own: OwnOrigin; randomBytes(count: number): Uint8Array },
): FormBrowser {
  const known = cookieOf(request, own, 'form')
  return known === null
    ? { value: Buffer.from(randomBytes(18)).toString('base64url'), isNew: true }
    : { value: known, isNew: false }
}
