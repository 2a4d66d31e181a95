// Cookies, what fields must be, and where a form may lead.
import type { PageContext } from './context.ts'
import type { PageRequest } from './page.ts'

export function cookieOf(request: PageRequest, name: string): string | null {
  for (const pair of (request.header('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** `value` null removes it. */
export function setCookie({ own }: PageContext, name: string, value: string | null): string {
  const cookie = own.cookie(name)
  const secure = cookie.secure ? '; Secure' : ''
  const end = value === null ? '; Max-Age=0' : ''
  return `${cookie.name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`
}

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

const targetMax = 2000

/** Where to go on after signing in: a path of this origin, whatever was asked for. */
export function targetOf(given: string | null, { own }: PageContext): string {
  if (given === null || given.length > targetMax || !/^\/(?![/\\])[^\s\\]*$/.test(given)) return '/'
  const url = URL.parse(given, own.origin)
  // With its dots resolved it may begin with two slashes, which lead to another host.
  const isOwn = url?.origin === own.origin && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : '/'
}

/** A path of this origin that returns to `target`. */
export const returningTo = (path: string, target: string): string =>
  target === '/' ? path : `${path}?${new URLSearchParams({ next: target })}`
