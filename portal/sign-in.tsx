// A person signs in at AUTH_URL and comes back with a code for a session here. The browser keeps a
// random value meanwhile, of which only the SHA-256 travels, so that a code is worth nothing in
// another browser.
import { sessionAudit } from '#auth/accounts/handoffs.ts'
import { sql } from '#database/sql.ts'
import { ownPath } from '#http/origins/own-path.ts'
import type { RequestContext } from '#http/request-context.ts'
import { cookieOf, cookieText } from './cookies.ts'
import type { PortalContext } from './context.ts'
import { failurePage } from './failure.tsx'
import { pageResponse, redirectTo } from './respond.tsx'

const agentLengthMax = 256

/** Where a browser signs in to go on to `next`. */
export const signInPath = (next: string, isFresh = false): string =>
  `/sign-in?${new URLSearchParams({ next, ...(isFresh && { fresh: '1' }) })}`

const digestOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()

export function startSignIn(portal: PortalContext, request: RequestContext): Response {
  const { own, authUrl } = portal
  const value = Buffer.from(portal.randomBytes(32)).toString('base64url')
  const { searchParams } = request.url
  const query = new URLSearchParams({
    to: 'portal',
    browser: digestOf(value).toString('base64url'),
    next: ownPath(searchParams.get('next'), own.origin),
  })
  if (searchParams.has('fresh')) query.set('fresh', '1')
  return redirectTo(`${authUrl}/handoff?${query}`, [cookieText(own, 'sign_in', value)])
}

export async function finishSignIn(
  portal: PortalContext,
  request: RequestContext,
): Promise<Response> {
  const { own } = portal
  const { searchParams } = request.url
  const next = ownPath(searchParams.get('next'), own.origin)
  const value = cookieOf(request, own, 'sign_in')
  const session =
    value === null
      ? null
      : await portal.handoffs.redeem(searchParams.get('code') ?? '', 'portal', {
          browser: digestOf(value),
          former: cookieOf(request, own, 'session'),
          call: auditedCall(request),
        })
  if (session !== null) {
    const cookies = [cookieText(own, 'session', session.token), cookieText(own, 'sign_in', null)]
    return redirectTo(next, cookies)
  }
  return failurePage(portal, {
    status: 400,
    title: 'You are not signed in yet',
    text: 'This link works once, within a minute, and in the browser that asked for it.',
    next: { href: signInPath(next), label: 'Sign in' },
  })
}

export async function signOut(
  portal: PortalContext,
  request: RequestContext,
  { token, person }: { token: string; person: string },
): Promise<Response> {
  await portal.sessions.end(token)
  const persons = sql`values (${person}::text)`
  await portal.pool.use(connection =>
    connection.run(sessionAudit('portal', 'sign_out', auditedCall(request), persons)),
  )
  return redirectTo('/signed-out', [cookieText(portal.own, 'session', null)])
}

const auditedCall = ({ id, address, request }: RequestContext) => ({
  requestId: id,
  address,
  agent: request.headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
})

export const showSignedOut = (portal: PortalContext): Response =>
  pageResponse(portal, {
    title: 'You are signed out',
    content: (
      <main class="narrow">
        <h1>You are signed out</h1>
        <p class="lead">Keys, agents and devices keep working.</p>
        <p class="actions">
          <a class="button" href="/sign-in">
            Sign in
          </a>
        </p>
      </main>
    ),
  })
