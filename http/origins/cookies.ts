// Cookies of a module's origin, as headers have them.
import type { SessionCookie } from './own-origin.ts'

/** The value of a cookie in a Cookie header; null without it. */
export function cookieIn(header: string | null, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** A Set-Cookie header; `value` null removes the cookie. */
export function setCookieText(
  { name, secure }: Pick<SessionCookie, 'name' | 'secure'>,
  value: string | null,
  seconds?: number,
): string {
  const age = value === null ? 0 : seconds
  const end = age === undefined ? '' : `; Max-Age=${age}`
  return `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${end}`
}
