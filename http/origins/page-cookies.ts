// The cookies of pages: the session, the value that binds forms to a browser, the one that binds a
// sign-in to it, the accounts that have signed in there, and what the next page says of a change.
import { cookieIn, setCookieText } from './cookies.ts'
import type { OwnOrigin } from './own-origin.ts'
import type { HttpRequest } from '../http-request.ts'

/** The names of an origin's cookies. */
export type CookieOrigin = Pick<OwnOrigin, 'cookie'>

export type CookieName = 'session' | 'form' | 'known' | 'sign_in' | 'toast'

export const cookieOf = (
  { headers }: Pick<HttpRequest, 'headers'>,
  own: CookieOrigin,
  of: CookieName,
): string | null => cookieIn(headers.get('cookie'), own.cookie(of).name)

/** `value` null removes it; with `seconds` it outlives the browser's session. */
export const cookieText = (
  own: CookieOrigin,
  of: CookieName,
  value: string | null,
  seconds?: number,
): string => setCookieText(own.cookie(of), value, seconds)

/** The value that binds forms to the browser; new: the answer sets its cookie. */
export type FormBrowser = { readonly value: string; readonly isNew: boolean }

export function browserOf(
  request: Pick<HttpRequest, 'headers'>,
  { own, randomBytes }: { own: CookieOrigin; randomBytes(count: number): Uint8Array },
): FormBrowser {
  const known = cookieOf(request, own, 'form')
  return known === null
    ? { value: Buffer.from(randomBytes(18)).toString('base64url'), isNew: true }
    : { value: known, isNew: false }
}

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The theme chosen in this browser, so that no page flashes in the other one. Undefined means the
 *  system's. `browser/pages.ts` writes the cookie. */
export const themeOf = ({ headers }: Pick<HttpRequest, 'headers'>): Theme | undefined =>
  themes.find(one => one === cookieIn(headers.get('cookie'), 'theme'))
