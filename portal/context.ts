// The context of the portal's pages, and the types of a handler's requests.
import type { Mode, OutputOf } from '#contract/operation.ts'
import type { SessionOperationId, sessionOperations } from '#contract/portal/reads.ts'
import type { Problem } from '#contract/problems.ts'
import type { HandedOrigin } from '#auth/accounts/handed-sign-in.ts'
import type { Membership } from '#auth/accounts/memberships.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import type { SessionCalls } from '#clinical/rest/session-calls.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { OpenCall, PersonCall } from '#http/pages/call.ts'
import type { PageHandlers, PagesContext } from '#http/pages/pages.ts'
import type { Query } from '#http/pages/table.ts'
import type { PageId, rows } from './table.ts'
import type { Act } from '#auth/act.ts'

export type PortalContext = HandedOrigin &
  PagesContext & {
    /** The API's base URL. */
    readonly api: string
    /** The newest business associate agreement, in our own Markdown. */
    readonly agreement: { readonly version: string; readonly text: string }
    /** The pepper for new credentials. */
    readonly pepper: string
    /** Calls the clinical API as a member. */
    readonly clinical: SessionCalls
  }

/** A request from a signed-in person. */
export type SignedInCall = PersonCall<PageId, Session>

/** A member's request to a table row, after all of the row's checks. */
export type MemberCall = SignedInCall & {
  readonly member: Membership
  /** The person's integrations, for the switcher. */
  readonly memberships: readonly Membership[]
  readonly mode: Mode
  /** How far the sandbox is ahead of real time, in milliseconds; 0 in live mode. */
  readonly aheadMs: number
  /** Whether the table allows the member to open a page or submit a form. */
  mayOpen(row: PageId): boolean
  /** The person making a change, for the audit row. */
  readonly act: Act
  /** Calls an operation of the clinical API or its preview, or a portal read, as the member. */
  api<K extends SessionOperationId>(operation: K, given?: ApiInput): Promise<ApiResult<K>>
}

export type ApiInput = {
  readonly names?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
  /** Default: the form's `once` field. */
  readonly key?: string
  readonly organization?: string | null
  /** Default: the page's mode. */
  readonly mode?: Mode
}

export type ApiResult<K extends SessionOperationId> =
  | { readonly problem: null; readonly value: OutputOf<(typeof sessionOperations)[K]> }
  | { readonly problem: Problem }

export type PortalHandler = (
  portal: PortalContext,
  call: MemberCall,
) => Promise<PageAnswer> | PageAnswer

export type PortalHandlers = PageHandlers<
  typeof rows,
  PortalContext,
  OpenCall<PageId, Session>,
  SignedInCall,
  MemberCall
>
