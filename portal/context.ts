// What the pages of the portal are given, and what a handler gets for one request.
import type { Mode, OutputOf } from '#contract/operation.ts'
import type { SessionOperationId, sessionOperations } from '#contract/portal/reads.ts'
import type { PortalRowId } from '#contract/portal/table.ts'
import type { Problem } from '#contract/problems.ts'
import type { HandedOrigin } from '#auth/accounts/handed-sign-in.ts'
import type { Membership } from '#auth/accounts/memberships.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import type { Act } from '#auth/administration.ts'
import type { SessionCalls } from '#clinical/rest/session-calls.ts'
import type { PageAssets } from '#http/html/assets.ts'
import type { FileToKeep } from '#http/html/file-response.ts'
import type { Site } from '#http/html/document.tsx'
import type { RequestContext } from '#http/request-context.ts'
import type { VNode } from 'preact'

export type PortalContext = HandedOrigin & {
  readonly site: Site
  /** Where the API answers. */
  readonly api: string
  /** The newest business associate agreement, in Markdown of ours. */
  readonly agreement: { readonly version: string; readonly text: string }
  readonly assets: PageAssets
  /** The one that hashes new credentials. */
  readonly pepper: string
  /** Calls the clinical API as a member. */
  readonly clinical: SessionCalls
  /** An HMAC under a secret of this installation. */
  hmac(text: string): Uint8Array
  now(): number
  onError(failure: unknown, requestId: string): void
}

/** The answer to a request: a page in the frame of the portal, a file to keep, or a redirect. */
export type PortalAnswer =
  | {
      readonly title: string
      readonly content: VNode
      readonly status?: number
    }
  | { readonly file: FileToKeep }
  | { readonly redirect: string }

/** A request of a member to a row of the table, after every check of the row. */
export type MemberCall = {
  readonly row: PortalRowId
  readonly request: RequestContext
  readonly session: Session
  readonly token: string
  readonly member: Membership
  /** All of the person, for the switch between integrations. */
  readonly memberships: readonly Membership[]
  readonly mode: Mode
  /** The ids of the path. */
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of a form; empty for a page. */
  readonly form: URLSearchParams
  /** The address of a row for the same integration and mode. */
  pathOf(row: PortalRowId, names?: Readonly<Record<string, string>>, query?: Query): string
  /** The hidden field that a form to this path needs. */
  formToken(path: string): string
  /** A value for the hidden field `once` of a form, which makes sending it twice harmless. */
  once(): string
  /** Who asked for a change, for its audit row. */
  readonly act: Act
  /** Calls an operation of the clinical API or its preview, or a read of the portal, as the
   *  member. */
  api<K extends SessionOperationId>(operation: K, given?: ApiInput): Promise<ApiResult<K>>
}

export type Query = Readonly<Record<string, string | undefined>>

export type ApiInput = {
  readonly names?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
  /** Absent: the field `once` of the form. */
  readonly key?: string
  readonly organization?: string | null
  /** Absent: that of the page. */
  readonly mode?: Mode
}

export type ApiResult<K extends SessionOperationId> =
  | { readonly problem: null; readonly value: OutputOf<(typeof sessionOperations)[K]> }
  | { readonly problem: Problem }

export type PortalHandler = (
  portal: PortalContext,
  call: MemberCall,
) => Promise<PortalAnswer> | PortalAnswer
