// A person signs in at AUTH_URL and comes back to another origin with a code for a session there.
// The browser keeps a random value meanwhile, of which only the SHA-256 travels, so that a code is
// worth nothing in another browser.
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { redirectTo } from '#http/html/redirect.ts'
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import { ownPath } from '#http/origins/own-path.ts'
import { cookieOf, cookieText } from '#http/origins/page-cookies.ts'
import type { RequestContext } from '#http/request-context.ts'
import { type HandoffOrigin, type Handoffs, sessionAudit } from './handoffs.ts'
import type { Sessions } from './sessions.ts'

/** What an origin has whose sessions begin at AUTH_URL. */
export type HandedOrigin = {
  readonly name: HandoffOrigin
  readonly own: OwnOrigin
  readonly authUrl: string
  /** Of the role app_auth. */
  readonly pool: ConnectionPool
  readonly sessions: Sessions
  readonly handoffs: Handoffs
  randomBytes(count: number): Uint8Array
}

const agentLengthMax = 256

/** Where a browser signs in to go on to `next`. */
export const signInPath = (next: string, isFresh = false): string =>
  `/sign-in?${new URLSearchParams({ next, ...(isFresh && { fresh: '1' }) })}`

const digestOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()

const nextOf = ({ own }: HandedOrigin, { url }: RequestContext) =>
  ownPath(url.searchParams.get('next'), own.origin)

/** `needsFresh`: the session begins with a second factor of the last minutes. */
export function startSignIn(
  origin: HandedOrigin,
  request: RequestContext,
  needsFresh = request.url.searchParams.has('fresh'),
): Response {
  const { name, own, authUrl } = origin
  const value = Buffer.from(origin.randomBytes(32)).toString('base64url')
  const query = new URLSearchParams({
    to: name,
    browser: digestOf(value).toString('base64url'),
    next: nextOf(origin, request),
  })
  if (needsFresh) query.set('fresh', '1')
  return redirectTo(`${authUrl}/handoff?${query}`, [cookieText(own, 'sign_in', value)])
}

/** `refused` answers where the code is of no use; it is given the path to go on to. */
export async function finishSignIn(
  origin: HandedOrigin,
  request: RequestContext,
  refused: (next: string) => Response,
): Promise<Response> {
  const { name, own } = origin
  const next = nextOf(origin, request)
  const value = cookieOf(request, own, 'sign_in')
  const session =
    value === null
      ? null
      : await origin.handoffs.redeem(request.url.searchParams.get('code') ?? '', name, {
          browser: digestOf(value),
          former: cookieOf(request, own, 'session'),
          call: auditedCall(request),
        })
  if (session === null) return refused(next)
  const cookies = [cookieText(own, 'session', session.token), cookieText(own, 'sign_in', null)]
  return redirectTo(next, cookies)
}

export async function signOut(
  { name, own, sessions, pool }: HandedOrigin,
  request: RequestContext,
  { token, person }: { token: string; person: string },
): Promise<Response> {
  await sessions.end(token)
  const persons = sql`values (${person}::text)`
  await pool.use(connection =>
    connection.run(sessionAudit(name, 'sign_out', auditedCall(request), persons)),
  )
  return redirectTo('/signed-out', [cookieText(own, 'session', null)])
}

const auditedCall = ({ id, address, request }: RequestContext) => ({
  requestId: id,
  address,
  agent: request.headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
})
