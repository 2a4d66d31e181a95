// The pages' cookies: the session, the values that bind forms and a sign-in to the browser, the
// accounts that have signed in on it, and the toast for the next page.
import { cookieIn, setCookieText } from './cookies.ts'
import type { OwnOrigin } from './own-origin.ts'
import type { HttpRequest } from '../http-request.ts'

/** The origin whose cookies are read or written. */
export type CookieOrigin = Pick<OwnOrigin, 'cookie'>

export type CookieName = 'session' | 'form' | 'known' | 'sign_in' | 'toast'

export const cookieOf = (
  { headers }: Pick<HttpRequest, 'headers'>,
  own: CookieOrigin,
  of: CookieName,
): string | null => cookieIn(headers.get('cookie'), own.cookie(of).name)

/** A null `value` removes the cookie; with `seconds`, the cookie outlives the browser session. */
export const cookieText = (
  own: CookieOrigin,
  of: CookieName,
  value: string | null,
  seconds?: number,
): string => setCookieText(own.cookie(of), value, seconds)

/** The value that binds forms to the browser. If new, the response sets its cookie. */
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

/** The theme chosen in this browser. Undefined means the system's. The server reads the theme so no
 *  page flashes in the wrong theme; `browser/pages.ts` writes the cookie. */
export const themeOf = ({ headers }: Pick<HttpRequest, 'headers'>): Theme | undefined =>
  themes.find(one => one === cookieIn(headers.get('cookie'), 'theme'))
