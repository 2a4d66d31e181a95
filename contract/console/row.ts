// The type of a row in the console: an operation by a clinic's staff member.

import { Type } from 'typebox'
import type { EventType } from '../events.ts'
import type { AnyOperation } from '../operation.ts'
import { moment } from '../shapes.ts'

export const staffRoles = ['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor'] as const
export type StaffRole = (typeof staffRoles)[number]

export type ConsoleOperation = AnyOperation & {
  readonly path: `/console/${string}`
  readonly tag: 'Console'
  /** Which staff members have access; one of their roles suffices. */
  readonly roles: readonly StaffRole[]
  /** A signature needs a second factor from the last few minutes; any other call needs one from the
   *  session. */
  readonly isSignature?: boolean
  /** Whether the row returns a file. */
  readonly isExport?: boolean
  readonly emits?: readonly EventType[]
}

type Access = {
  readonly roles: readonly StaffRole[]
  /** When the person's emergency access ends. Emergency access grants the read access of
   *  `records`. */
  readonly emergencyUntil: string | null
}
type Row = Pick<ConsoleOperation, 'roles' | 'isExport'> & { readonly method: string }

/** Whether a console row is open to a staff member. Emergency access is for reading only: it allows
 *  no changes and no exports. */
export const isOpenTo = ({ method, roles, isExport }: Row, staff: Access): boolean =>
  roles.some(role => staff.roles.includes(role)) ||
  (staff.emergencyUntil !== null &&
    method === 'GET' &&
    isExport !== true &&
    roles.includes('records'))

/** Keeps every row's literals in the type, so handlers are checked against them. */
export const defineConsole = <const T extends Record<string, ConsoleOperation>>(rows: T): T => rows

export const consoleLimits = {
  /** The maximum age of a signature's second factor. */
  signatureMinutes: 15,
  /** How long a claim lasts, unless it's extended. */
  claimMinutes: 30,
} as const

export const chartReaders = ['clinician', 'nurse', 'records'] as const
export const carers = ['clinician', 'nurse'] as const

/** The `updated_at` that the caller read. A write is refused if the case or order changed since. */
export const version = moment({ description: 'The updated_at you read.' })

export const readRow = { method: 'GET', tag: 'Console', status: 200 } as const
export const writeRow = { method: 'POST', tag: 'Console', status: 200 } as const

export const Claim = Type.Object({
  person: Type.String(),
  name: Type.String(),
  until: moment(),
})
