// Reads and writes the cookies of a module's origin.
import type { SessionCookie } from './own-origin.ts'

/** Returns a cookie's value from a Cookie header; null if it's absent. */
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
