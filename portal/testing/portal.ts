// Setup for portal tests: the portal on its own port, over the fixtures, with members signed in
// through a browser without scripts.
import { afterAll, beforeAll } from 'bun:test'
import type { MemberRole } from '#contract/scopes.ts'
import { newSession } from '#auth/accounts/sessions.ts'
import { newId } from '#auth/ids.ts'
import { newRequestId } from '#http/http-request.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { openSessionCalls } from '#clinical/rest/session-calls.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type Fixtures, useFixtures } from '#clinical/testing/fixtures.ts'
import { sql } from '#database/sql.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { createRouter, type Router } from '#http/router.ts'
import { openPortal } from '../portal-app.ts'

export const authUrl = 'https://auth.example.com'

export const agreement = {
  version: '2026-11-22',
  text: 'This is an agreement.\n\n## What you promise\n\n1. To keep it safe.\n',
}

type SignedIn = {
  readonly role?: MemberRole
  readonly integration?: string
  /** How long ago the second factor was verified; null if it wasn't. */
  readonly factorSeconds?: number | null
  /** Whether an owner lets them change live endpoints. */
  readonly mayChangeLive?: boolean
  /** Also makes the person a member of this integration, in another role. */
  readonly also?: { readonly integration: string; readonly role: MemberRole }
}

type Open = { origin: string; failures: unknown[]; close(): Promise<void> }

/** One portal for a file's tests; its fixtures are in `fixtures`. */
export function usePortal() {
  const fixtures = useFixtures()
  let open: Open | undefined
  beforeAll(() => (open = openTestPortal(fixtures)))
  afterAll(() => open?.close())
  const origin = () => open?.origin ?? ''
  return {
    fixtures,
    get origin() {
      return origin()
    },
    /** The internal errors so far. A test that expects no errors checks this list. */
    get failures() {
      return open?.failures ?? []
    },
    /** A browser with a new person's session. */
    async signIn(given: SignedIn = {}) {
      const { person, token } = await addMember(fixtures, given)
      const browser = openBrowser(origin())
      browser.cookies.set('portal_session', token)
      const integration = given.integration ?? fixtures.ada.integration
      return { browser, person, token, integration, home: `/${integration}` }
    },
  }
}

export type TestPortal = ReturnType<typeof usePortal>

/** The portal over these fixtures. */
export function openTestPortal({
  context,
  database,
}: Pick<Fixtures, 'context' | 'database'>): Open {
  const failures: unknown[] = []
  let route: Router | undefined
  const server = Bun.serve({
    port: 0,
    fetch: (request, peers) => route?.(request, peers) ?? new Response(null, { status: 503 }),
  })
  const origin = `http://localhost:${server.port}`
  const portal = openPortal({
    url: database.urls.auth,
    poolSize: 4,
    peppers: context.peppers,
    api: 'https://api.example.com',
    authUrl,
    own: ownOrigin(origin, 'portal'),
    site: { name: 'Example Health', url: 'https://example.com', email: 'hello@example.com' },
    agreement,
    clinical: openSessionCalls(context),
    onError: failure => void failures.push(failure),
  })
  route = createRouter({
    groups: [],
    plain: portal.endpoints,
    fallback: request => portal.fallback(request),
    isAllowedHost: () => true,
    addressOf: () => '203.0.113.9',
    newRequestId,
    base: origin,
    log: { request() {} },
    onError: failure => void failures.push(failure),
  })
  return {
    origin,
    failures,
    async close() {
      await server.stop(true)
      await portal.close()
    },
  }
}

let made = 0

/** A new person with a session. */
export async function addMember(fixtures: Fixtures, given: SignedIn) {
  const { role = 'owner', integration = fixtures.ada.integration, factorSeconds = 10 } = given
  const person = newId('person')
  const { id, token, hash, pepper, last4 } = newSession({ peppers: fixtures.context.peppers })
  await queryAsOwner(
    fixtures,
    sql`insert into auth.persons (id, email, name)
        values (${person}, ${`member${++made}@example.com`}, 'Ada')`,
  )
  for (const one of [{ integration, role }, ...(given.also ? [given.also] : [])]) {
    await queryAsOwner(
      fixtures,
      sql`insert into auth.members (integration, person, role, live_until)
          values (${one.integration}, ${person}, ${one.role},
                  case when ${given.mayChangeLive === true} then now() + interval '1 day' end)`,
    )
  }
  await queryAsOwner(
    fixtures,
    sql`insert into auth.credentials
          (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
           second_factor_at)
        values (${id}, 'session', 'portal', ${id}, ${person}, 'Session', '{}', ${hash}, ${pepper},
                ${last4}, now() + interval '12 hours',
                clock_timestamp() - ${factorSeconds}::int * interval '1 second')`,
  )
  return { person, token }
}
