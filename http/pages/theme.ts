// The theme that a person chose on this browser: a cookie, which the server reads so that no page
// flashes in the other one.
import { cookieIn } from '../origins/cookies.ts'
import type { HttpRequest } from '../http-request.ts'

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Undefined: the system's. `browser/pages.ts` writes the cookie. */
export const themeOf = ({ headers }: Pick<HttpRequest, 'headers'>): Theme | undefined =>
  themes.find(one => one === cookieIn(headers.get('cookie'), 'theme'))
