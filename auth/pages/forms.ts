// Cookies, what fields must be, and where a form may lead.
import { cookieIn, setCookieText } from '#http/origins/cookies.ts'
import { ownPath } from '#http/origins/own-path.ts'
import type { PageContext } from './context.ts'
import type { PageRequest } from './page.ts'

export const cookieOf = (request: PageRequest, name: string): string | null =>
  cookieIn(request.header('cookie'), name)

/** `value` null removes it. */
export const setCookie = ({ own }: PageContext, name: string, value: string | null): string =>
  setCookieText(own.cookie(name), value)

export const characters = { email: 254, name: 200, password: 1000 } as const

/** Only an email shows that there is such an address. */
export const emailFault = (email: string): string | undefined =>
  /^[^\s@<>,"]+@[^\s@<>,"]+$/.test(email) && email.length <= characters.email
    ? undefined
    : 'Email must be an email address, such as ada@example.com.'

export function nameFault(name: string): string | undefined {
  if (name === '') return 'Name must not be empty.'
  if (name.length > characters.name) return `Name must have at most ${characters.name} characters.`
  return /\p{C}/u.test(name) ? 'Name must be one line of text.' : undefined
}

/** Where to go on after signing in. */
export const targetOf = (given: string | null, { own }: PageContext): string =>
  ownPath(given, own.origin)

/** A path of this origin that returns to `target`. */
export const returningTo = (path: string, target: string): string =>
  target === '/' ? path : `${path}?${new URLSearchParams({ next: target })}`
