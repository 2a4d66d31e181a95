// A person signs in at AUTH_URL and returns to another origin with a code for a session there.
// Meanwhile, the browser keeps a random value and sends only its SHA-256, so the code is worthless
// in another browser.
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import { ownPath } from '#http/origins/own-path.ts'
import { cookieOf, cookieText } from '#http/origins/page-cookies.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { OpenCall, PersonCall } from '#http/pages/call.ts'
import { type HandoffOrigin, type Handoffs, sessionAudit } from './handoffs.ts'
import type { Session, Sessions } from './sessions.ts'

/** An origin whose sessions start at AUTH_URL. */
export type HandedOrigin = {
  readonly name: HandoffOrigin
  readonly own: OwnOrigin
  readonly authUrl: string
  /** Connects as app_auth. */
  readonly pool: ConnectionPool
  readonly sessions: Sessions
  readonly handoffs: Handoffs
  randomBytes(count: number): Uint8Array
}

/** The sign-in and sign-out pages of every such origin. */
export const handedRows = {
  signIn: { method: 'GET', path: '/sign-in', title: 'Sign in', who: 'anyone' },
  signedIn: { method: 'GET', path: '/signed-in', title: 'Signed in', who: 'anyone' },
  signedOut: { method: 'GET', path: '/signed-out', title: 'You’re signed out', who: 'anyone' },
  signOut: {
    method: 'POST',
    path: '/sign-out',
    title: 'Sign out',
    who: 'person',
    signedOut: '/signed-out',
    page: '/',
  },
} as const

type AnyCall = OpenCall<string, Session>

/** The page where a browser signs in before continuing to `next`. */
export const signInPath = (next: string, isFresh = false): string =>
  `/sign-in?${new URLSearchParams({ next, ...(isFresh && { fresh: '1' }) })}`

const digestOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()

const nextOf = ({ own }: HandedOrigin, { query }: AnyCall) => ownPath(query.get('next'), own.origin)

/** The browser's value, if it's in the form set here. */
function valueOf({ own }: HandedOrigin, { request }: AnyCall): string | null {
  const value = cookieOf(request, own, 'sign_in')
  return value !== null && /^[\w-]{43}$/.test(value) ? value : null
}

/** With `needsFresh`, the session starts with a second factor from the last few minutes. */
export function startSignIn(
  origin: HandedOrigin,
  call: AnyCall,
  needsFresh = call.query.has('fresh'),
): PageAnswer {
  const { name, own, authUrl } = origin
  // Every tab that is signing in uses the same value, so each can finish.
  const value = valueOf(origin, call) ?? Buffer.from(origin.randomBytes(32)).toString('base64url')
  const query = new URLSearchParams({
    to: name,
    browser: digestOf(value).toString('base64url'),
    next: nextOf(origin, call),
  })
  if (needsFresh) query.set('fresh', '1')
  return {
    redirect: `${authUrl}/handoff?${query}`,
    cookies: [cookieText(own, 'sign_in', value)],
  }
}

export async function finishSignIn(origin: HandedOrigin, call: AnyCall): Promise<PageAnswer> {
  const { name, own } = origin
  const next = nextOf(origin, call)
  const value = valueOf(origin, call)
  const session =
    value === null
      ? null
      : await origin.handoffs.redeem(call.query.get('code') ?? '', name, {
          browser: digestOf(value),
          former: call.token,
          call: auditedCall(call),
        })
  // Another tab may have signed in already.
  if (session === null && call.session !== null) return { redirect: next }
  if (session === null) return { failure: notSignedIn(next) }
  const cookies = [cookieText(own, 'session', session.token), cookieText(own, 'sign_in', null)]
  return { redirect: next, cookies }
}

const notSignedIn = (next: string) => ({
  status: 400,
  title: 'You’re not signed in yet',
  text: 'This link works once, for a minute, in the browser that requested it.',
  next: { href: signInPath(next), label: 'Sign in' },
})

/** `text` describes what keeps running after sign-out. */
export const showSignedOut = (text: string): PageAnswer => ({
  failure: {
    status: 200,
    title: handedRows.signedOut.title,
    text,
    next: { href: '/sign-in', label: 'Sign in' },
  },
})

export async function signOut(
  { name, own, sessions, pool }: HandedOrigin,
  call: PersonCall<string, Session>,
): Promise<PageAnswer> {
  await sessions.end(call.token)
  const persons = sql`values (${call.session.person.id}::text)`
  await pool.use(connection =>
    connection.run(sessionAudit(name, 'sign_out', auditedCall(call), persons)),
  )
  return { redirect: '/signed-out', cookies: [cookieText(own, 'session', null)] }
}

const auditedCall = ({ request, agent }: AnyCall) => ({
  requestId: request.id,
  address: request.address,
  agent,
})
