// The pages' context, and the types of a handler's requests.
import type { Encryption } from '#database/encryption.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { OpenCall, PersonCall } from '#http/pages/call.ts'
import type { PageHandlers, PagesContext } from '#http/pages/pages.ts'
import type { FailedAttempts } from '../accounts/failed-attempts.ts'
import type { HandoffOrigin, Handoffs } from '../accounts/handoffs.ts'
import type { AccountLinks } from '../accounts/links.ts'
import type { PasskeyParts } from '../accounts/passkeys.ts'
import type { BreachService } from '../accounts/passwords.ts'
import type { PersonStore } from '../accounts/person-store.ts'
import type { Session, Sessions } from '../accounts/sessions.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import type { Peppers } from '../pepper.ts'
import type { PageId, rows } from './table.ts'

export type PageContext = PagesContext & {
  /** Connects as app_auth. */
  readonly pool: ConnectionPool
  readonly people: PersonStore
  readonly sessions: Sessions
  readonly failedAttempts: FailedAttempts
  readonly isStolenPassword: BreachService
  readonly handoffs: Handoffs
  /** Signs the links in emails. */
  readonly links: AccountLinks
  readonly passkeys: PasskeyParts
  readonly peppers: Peppers
  readonly encryption: Encryption
  /** The origins that accept a handoff. */
  readonly handoffUrls: Readonly<Partial<Record<HandoffOrigin, string>>>
  readonly authorization: Pick<AuthorizationServer, 'consents' | 'devices'>
  /** The page where a developer reads unsent email. Null if email is sent. */
  readonly mailUrl: string | null
  /** The clock for authenticator apps' codes. */
  codeTime(): number
  /** Called after an email is queued. */
  emailed(): void
}

/** A request from anyone, signed in or not. */
export type AnyCall = OpenCall<PageId, Session>

/** A request from a signed-in person. */
export type PageCall = PersonCall<PageId, Session>

export const isSignedIn = (call: AnyCall): call is PageCall =>
  call.session !== null && call.token !== null

type Handler<Call> = (context: PageContext, call: Call) => Promise<PageAnswer> | PageAnswer

export type OpenHandler = Handler<AnyCall>
export type PageHandler = Handler<PageCall>

export type Handlers = PageHandlers<typeof rows, PageContext, AnyCall, PageCall, PageCall>
