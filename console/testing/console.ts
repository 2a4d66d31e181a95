// Setup for console tests: its pages on their own port, over the fixtures, with staff members
// signed in through a browser without scripts.
import { afterAll, beforeAll } from 'bun:test'
import type { StaffRole } from '#contract/console/row.ts'
import { newSession } from '#auth/accounts/sessions.ts'
import { newId } from '#auth/ids.ts'
import { newRequestId } from '#http/http-request.ts'
import { createEncryption } from '#database/encryption.ts'
import { totpPurpose } from '#auth/accounts/person-store.ts'
import { codeAt, newTotpSecret } from '#auth/accounts/totp.ts'
import { now, randomBytes } from '#database/clock.ts'
import { type FormValues, openBrowser } from '#auth/testing/browser.ts'
import { openStaffCalls } from '#clinical/staff-calls.ts'
import { testPharmacySetup } from '#clinical/pharmacy/testing/setup.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type Fixtures, useFixtures } from '#clinical/testing/fixtures.ts'
import { openConsolePool } from '#clinical/testing/staff.ts'
import { sql } from '#database/sql.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { formTokenOf } from '#http/pages/form.ts'
import { createRouter, type Router } from '#http/router.ts'
import { formHmac, openConsole } from '../console-app.ts'

const encryptionKeys = ['an encryption key']
/** The time for codes. Each code uses a later time, so no code repeats. */
const codes = { now: now() }

export const authUrl = 'https://auth.example.com'

type SignedIn = {
  readonly roles?: readonly StaffRole[]
  readonly organization?: string
  readonly states?: readonly string[]
  /** How long ago the second factor was verified; null if it wasn't. */
  readonly factorSeconds?: number | null
  /** How long ago the session was used. */
  readonly idleSeconds?: number
  readonly hasEmergencyAccess?: boolean
  /** The person's account was recovered, and no administrator confirmed it. */
  readonly isRecovered?: boolean
  /** Also makes the person a staff member of this clinic. */
  readonly also?: string
}

type Open = { origin: string; failures: unknown[]; close(): Promise<void> }

/** One console for a file's tests; its fixtures are in `fixtures`. */
export function useConsolePages() {
  const fixtures = useFixtures()
  let open: Open | undefined
  beforeAll(() => (open = openConsolePages(fixtures)))
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
    /** A browser with a new staff member's session. */
    async signIn(given: SignedIn = {}) {
      const organization = given.organization ?? fixtures.clinic
      const staff = await addStaff(fixtures, { ...given, organization })
      const { person, token, secret, session } = staff
      const browser = openBrowser(origin())
      browser.cookies.set('console_session', token)
      /** An unused code from the person's authenticator app. */
      const nextCode = () => codeAt(secret, (codes.now += 60_000))
      /** Submits a form as its page would, even if no page shows the form. */
      const sendForm = async (path: string, values: FormValues = {}) => {
        const cookie = 'a browser'
        browser.cookies.set('console_form', cookie)
        const hmac = formHmac(fixtures.context.peppers)
        const form = formTokenOf(hmac, { browser: cookie, session, path })
        const body = new URLSearchParams({ form, once: crypto.randomUUID(), ...values })
        return browser.send(path, { method: 'POST', body })
      }
      const home = `/${organization}`
      return { browser, person, token, organization, nextCode, home, sendForm }
    },
  }
}

export function openConsolePages(fixtures: Fixtures): Open {
  const { context, database } = fixtures
  const failures: unknown[] = []
  let route: Router | undefined
  const server = Bun.serve({
    port: 0,
    fetch: (request, peers) => route?.(request, peers) ?? new Response(null, { status: 503 }),
  })
  const origin = `http://localhost:${server.port}`
  const calls = openConsolePool(fixtures)
  const pages = openConsole({
    url: database.urls.auth,
    poolSize: 2,
    peppers: context.peppers,
    encryptionKeys,
    codeTime: () => codes.now,
    authUrl,
    own: ownOrigin(origin, 'console'),
    site: { name: 'Example Health', url: 'https://example.com', email: 'hello@example.com' },
    staffCalls: openStaffCalls(context, calls),
    pharmacies: testPharmacySetup(fixtures),
    onError: failure => void failures.push(failure),
  })
  route = createRouter({
    groups: [],
    plain: pages.endpoints,
    fallback: request => pages.fallback(request),
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
      await pages.close()
      await calls.close()
    },
  }
}

let made = 0

/** At least this long ago: the columns round to milliseconds, so a moment without the extra one
 *  could be less long ago when a fast request compares it. */
const ago = (seconds: number | null) =>
  sql`clock_timestamp() - ${seconds}::int * interval '1 second' - interval '1 millisecond'`

export async function addStaff(fixtures: Fixtures, given: SignedIn & { organization: string }) {
  const { roles = ['clinician'], organization, states = [], also } = given
  const { factorSeconds = 10, idleSeconds = 0 } = given
  const person = newId('person')
  const { id, token, hash, pepper, last4 } = newSession({ peppers: fixtures.context.peppers })
  const number = ++made
  const secret = newTotpSecret(randomBytes)
  const sealed = createEncryption(encryptionKeys).encrypt(totpPurpose(person), secret)
  const clinics = [organization, ...(also === undefined ? [] : [also])]
  for (const statement of [
    sql`insert into auth.persons (id, email, name)
        values (${person}, ${`console${number}@example.com`}, 'Ada')`,
    sql`insert into auth.person_factors (person, password_hash, totp_secret)
        values (${person}, '$argon2id$none', ${sealed})`,
    sql`insert into auth.staff (organization, person, name, roles, recovered_at)
        select clinic, ${person}, ${`Ada ${number}`}, ${roles}::text[],
               case when ${given.isRecovered === true} then now() end
          from unnest(${clinics}::text[]) as c (clinic)`,
    sql`insert into auth.emergency_accesses (id, organization, person, reason, ends_at)
        select ${newId('emergency')}, ${organization}, ${person}, 'No clinician is here.',
               now() + interval '1 hour' where ${given.hasEmergencyAccess === true}`,
    sql`insert into auth.licenses (organization, person, state, number, expires_on)
        select ${organization}, ${person}, state, '1', current_date
          from unnest(${states}::text[]) as s (state)`,
    sql`insert into auth.credentials
          (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
           second_factor_at, last_used_at)
        values (${id}, 'session', 'console', ${id}, ${person}, 'Session', '{}', ${hash}, ${pepper},
                ${last4}, now() + interval '12 hours',
                ${ago(factorSeconds)}, ${ago(idleSeconds)})`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
  return { person, token, secret, session: id }
}
