// The cookie that identifies a browser that entered a visit. It isn't a session: it identifies no
// person, and is valid only for links bound to it.

import { randomBytes } from '#database/clock.ts'
import { cookieIn, setCookieText } from '#http/origins/cookies.ts'
import { type AskedFrom, ownOrigin } from '#http/origins/own-origin.ts'

/** Returns the digest that a link or a browser's cookie is stored as. */
export const digestOf = (text: string): string =>
  new Bun.CryptoHasher('sha256').update(text).digest('base64url')

/** A browser, as identified by its cookie. */
export type Visitor = { readonly secret: string; readonly digest: string }

const visitorOf = (secret: string): Visitor => ({ secret, digest: digestOf(secret) })
const newVisitor = (): Visitor => visitorOf(Buffer.from(randomBytes(32)).toString('base64url'))

/** The cookie for browsers that entered a visit, on the API's host. */
export function visitCookie(base: string) {
  const origin = ownOrigin(base, 'visit')
  const cookie = origin.cookie('browser')
  const read = (header: string | null): Visitor | null => {
    const value = cookieIn(header, cookie.name) ?? ''
    return /^[\w-]{43}$/.test(value) ? visitorOf(value) : null
  }
  return {
    /** Returns null without a cookie, or if another origin's page sent the request. */
    visitorOf: (asked: AskedFrom) => (origin.admits(asked) ? read(asked.header('cookie')) : null),
    /** Whether this origin's page sent the form. */
    isOwn: origin.isOwn,
    newVisitor,
    headers: ({ secret }: Visitor) => ({ 'set-cookie': setCookieText(cookie, secret) }),
  }
}

export type VisitCookie = ReturnType<typeof visitCookie>
