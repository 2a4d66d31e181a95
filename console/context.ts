// The context of the console's pages, and the types of a handler's requests.
import type { ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import type { OutputOf } from '#contract/operation.ts'
import type { Problem } from '#contract/problems.ts'
import type { Confirmations } from '#auth/accounts/confirmations.ts'
import type { HandedOrigin } from '#auth/accounts/handed-sign-in.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import type { StaffMembership } from '#auth/clinics/staff-memberships.ts'
import type { ActOfClinic } from '#auth/clinics/staff.ts'
import type { Work } from '#auth/clinics/work.ts'
import type { StaffCalls } from '#clinical/staff-calls.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { OpenCall, PersonCall } from '#http/pages/call.ts'
import type { PageHandlers, PagesContext } from '#http/pages/pages.ts'
import type { Query } from '#http/pages/table.ts'
import type { PageId, rows } from './table.ts'

export type ConsoleContext = HandedOrigin &
  PagesContext & {
    /** Performs the console's operations as a staff member. */
    readonly staffCalls: StaffCalls
    /** Connects a clinic to its pharmacy. */
    readonly pharmacies: PharmacySetup
    /** Verifies a second factor on a console page. */
    readonly confirmations: Confirmations
  }

type PharmacySetup = {
  /** Returns what's wrong with a URL, or null if requests to it are allowed. */
  faultOf(url: string): Promise<string | null>
  /** A new secret, in its shown-once and stored forms. */
  secretOf(id: string): { readonly shown: string; readonly stored: string }
  /** The URL that the pharmacy sends updates to. */
  updatesUrl(id: string): string
}

export type OperationInput = {
  /** The ID in the operation's path. Default: the ID in the page's path. */
  readonly id?: string | null
  readonly query?: Query
  readonly body?: unknown
  /** The idempotency key. Default: the form's key, which is for a single operation. */
  readonly once?: string | null
}

export type OperationResult<K extends ConsoleId> =
  | { readonly problem: null; readonly value: OutputOf<(typeof consoleOperations)[K]> }
  | { readonly problem: Problem }

/** A request from a signed-in person. */
export type SignedInCall = PersonCall<PageId, Session>

/** A staff member's request to a table row, after all of the row's checks. */
export type ConsoleCall = SignedInCall & {
  readonly staff: StaffMembership
  /** All of the person's clinics, for choosing one. */
  readonly memberships: readonly StaffMembership[]
  /** The work waiting for the staff member. Null on a form. */
  readonly work: Work | null
  /** The time zone of every time on the page. */
  readonly zone: string
  /** Whether the second factor is recent enough to sign. */
  readonly isFactorFresh: boolean
  /** Whether the table allows the staff member to open a page or submit a form. */
  mayOpen(row: PageId): boolean
  /** The person changing the clinic, for the audit row. */
  readonly act: ActOfClinic
  /** Performs an operation of the console, with its audit row. */
  perform<K extends ConsoleId>(operation: K, given?: OperationInput): Promise<OperationResult<K>>
  /** Like `perform`, for an operation that returns bytes. */
  open(
    operation: ConsoleId,
    given?: OperationInput,
  ): Promise<Blob | ReadableStream<Uint8Array> | Problem>
}

export type ConsoleHandler = (
  context: ConsoleContext,
  call: ConsoleCall,
) => Promise<PageAnswer> | PageAnswer

export type ConsoleHandlers = PageHandlers<
  typeof rows,
  ConsoleContext,
  OpenCall<PageId, Session>,
  SignedInCall,
  ConsoleCall
>
