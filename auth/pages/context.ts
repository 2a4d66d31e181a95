// The context of the pages, and what a handler gets for one request.
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
  /** The links of emails. */
  readonly links: AccountLinks
  readonly passkeys: PasskeyParts
  readonly peppers: Peppers
  readonly encryption: Encryption
  /** The origins that take a handoff. */
  readonly handoffUrls: Readonly<Partial<Record<HandoffOrigin, string>>>
  readonly authorization: Pick<AuthorizationServer, 'consents' | 'devices'>
  /** The page where a developer reads unsent email. Null if email is sent. */
  readonly mailUrl: string | null
  /** The time for the codes of authenticator apps. */
  codeTime(): number
  /** Called after an email was queued. */
  emailed(): void
}

/** A request of a person who is signed in, or of anyone. */
export type AnyCall = OpenCall<PageId, Session>

/** A request of a person who is signed in. */
export type PageCall = PersonCall<PageId, Session>

export const isSignedIn = (call: AnyCall): call is PageCall =>
  call.session !== null && call.token !== null

type Handler<Call> = (context: PageContext, call: Call) => Promise<PageAnswer> | PageAnswer

export type OpenHandler = Handler<AnyCall>
export type PageHandler = Handler<PageCall>

export type Handlers = PageHandlers<typeof rows, PageContext, AnyCall, PageCall, PageCall>
