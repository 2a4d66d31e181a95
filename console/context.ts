// What the pages of the console are given, and what a handler gets for one request.
import type { ConsoleId, consoleOperations } from '#contract/console.ts'
import type { ConsolePageId } from '#contract/console/table.ts'
import type { OutputOf } from '#contract/operation.ts'
import type { Problem } from '#contract/problems.ts'
import type { HandedOrigin } from '#auth/accounts/handed-sign-in.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import type { StaffMembership } from '#auth/clinics/staff-memberships.ts'
import type { ActOfClinic } from '#auth/clinics/staff.ts'
import type { StaffCalls } from '#clinical/staff-calls.ts'
import type { PageAssets } from '#http/html/assets.ts'
import type { Site } from '#http/html/document.tsx'
import type { FileToKeep } from '#http/html/file-response.ts'
import type { FormCall } from '#http/html/parts.tsx'
import type { RequestContext } from '#http/request-context.ts'
import type { VNode } from 'preact'

export type ConsoleContext = HandedOrigin & {
  readonly site: Site
  readonly assets: PageAssets
  /** Performs the operations of the console as a member of staff. */
  readonly staffCalls: StaffCalls
  /** For the connection of a clinic to its pharmacy. */
  readonly pharmacies: PharmacySetup
  /** An HMAC under a secret of this installation. */
  hmac(text: string): Uint8Array
  now(): number
  onError(failure: unknown, requestId: string): void
}

export type PharmacySetup = {
  /** What is wrong with an address; null: it may be requested. */
  faultOf(url: string): Promise<string | null>
  /** A new secret, as it is shown once and as it is stored. */
  secretOf(id: string): { readonly shown: string; readonly stored: string }
  /** Where the pharmacy sends its updates. */
  updatesUrl(id: string): string
}

/** The answer to a request: a page in the frame of the console, a file to keep, an image, or a
 *  redirect. */
export type ConsoleAnswer =
  | { readonly title: string; readonly content: VNode; readonly status?: number }
  | { readonly file: FileToKeep }
  /** WebP. */
  | { readonly image: Blob | ReadableStream<Uint8Array> }
  | { readonly redirect: string }

export type Query = Readonly<Record<string, string | undefined>>

export type OperationInput = {
  /** The id in the path of the operation; absent: that of the page. */
  readonly id?: string | null
  readonly query?: Query
  readonly body?: unknown
}

export type OperationResult<K extends ConsoleId> =
  | { readonly problem: null; readonly value: OutputOf<(typeof consoleOperations)[K]> }
  | { readonly problem: Problem }

/** A request of a member of staff to a row of the table, after every check of the row. */
export type ConsoleCall = FormCall & {
  readonly row: ConsolePageId
  readonly request: RequestContext
  readonly session: Session
  readonly token: string
  readonly staff: StaffMembership
  /** All of the person, for the choice of a clinic. */
  readonly memberships: readonly StaffMembership[]
  /** The ids of the path. */
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of a form; empty for a page. */
  readonly form: URLSearchParams
  /** Whether the second factor is recent enough to sign. */
  readonly isFactorFresh: boolean
  /** The address of a row for the same clinic. */
  pathOf(row: ConsolePageId, names?: Readonly<Record<string, string>>, query?: Query): string
  /** Whether the table lets the member of staff open a page or send a form. */
  mayOpen(row: ConsolePageId): boolean
  /** Who asks for a change of the clinic, for its audit row. */
  readonly act: ActOfClinic
  /** Performs an operation of the console, with its audit row. */
  perform<K extends ConsoleId>(operation: K, given?: OperationInput): Promise<OperationResult<K>>
  /** As `perform`, for an operation that answers with bytes. */
  open(
    operation: ConsoleId,
    given?: OperationInput,
  ): Promise<Blob | ReadableStream<Uint8Array> | Problem>
}

export type ConsoleHandler = (
  context: ConsoleContext,
  call: ConsoleCall,
) => Promise<ConsoleAnswer> | ConsoleAnswer
