// The cookies of the portal and of the console: the session, the value that binds forms to a
// browser, and the one that binds a sign-in to it.
import { cookieIn, setCookieText } from './cookies.ts'
import type { OwnOrigin } from './own-origin.ts'
import type { RequestContext } from '../request-context.ts'

export type CookieName = 'session' | 'form' | 'sign_in'

export const cookieOf = (
  { request }: Pick<RequestContext, 'request'>,
  own: OwnOrigin,
  of: CookieName,
): string | null => cookieIn(request.headers.get('cookie'), own.cookie(of).name)

/** `value` null removes it. */
export const cookieText = (own: OwnOrigin, of: CookieName, value: string | null): string =>
  setCookieText(own.cookie(of), value)

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
