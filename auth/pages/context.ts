// What the pages are given, and what a handler gets for one request.
import type { ConnectionPool } from '#database/pool.ts'
import type { HandoffOrigin, Handoffs } from '../accounts/handoffs.ts'
import type { FailedAttempts } from '../accounts/failed-attempts.ts'
import type { AccountLinks } from '../accounts/links.ts'
import type { PasskeyParts } from '../accounts/passkeys.ts'
import type { PersonStore } from '../accounts/person-store.ts'
import type { Session, Sessions } from '../accounts/sessions.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Peppers } from '../pepper.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import type { PageAnswer, PageRequest, Site } from './page.ts'

type Cookie = { readonly name: string; readonly secure: boolean }

/** The origin of the pages; http/origins/ makes one. */
export type PageOrigin = {
  readonly origin: string
  cookie(name: string): Cookie
  /** Whether a page of this origin sent the request. */
  isOwn(asked: Pick<PageRequest, 'method' | 'header'>): boolean
}

export type PageContext = {
  readonly site: Site
  readonly own: PageOrigin
  /** Of the role app_auth. */
  readonly pool: ConnectionPool
  readonly people: PersonStore
  readonly sessions: Sessions
  readonly failedAttempts: FailedAttempts
  readonly handoffs: Handoffs
  /** The links of emails. */
  readonly links: AccountLinks
  readonly passkeys: PasskeyParts
  readonly peppers: Peppers
  readonly encryption: Encryption
  /** The origins that take a handoff. */
  readonly handoffUrls: Readonly<Partial<Record<HandoffOrigin, string>>>
  readonly authorization: Pick<AuthorizationServer, 'consents' | 'devices'>
  /** Where a developer reads the email that was not sent; null where it is sent. */
  readonly mailUrl: string | null
  /** An HMAC under a secret of this installation. */
  hmac(text: string): Uint8Array
  randomBytes(count: number): Uint8Array
  now(): number
  /** The time for the codes of authenticator apps. */
  codeTime(): number
  /** Called after an email was queued. */
  emailed(): void
}

/** A request with the session of its cookie. */
export type PageCall = {
  readonly request: PageRequest
  /** Null without a valid one. */
  readonly session: Session | null
  /** The value of the session's cookie, valid or not. */
  readonly token: string | null
  /** The hidden field that a form to this path needs. */
  formToken(path: string): string
}

/** `answered`: the authorization server has written the answer. */
export type PageHandler = (
  context: PageContext,
  call: PageCall,
) => Promise<PageAnswer | 'answered'> | PageAnswer
