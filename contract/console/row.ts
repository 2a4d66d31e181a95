// The type of a row of the console: an operation of a member of a clinic's staff.

import { Type } from 'typebox'
import type { EventType } from '../events.ts'
import type { AnyOperation } from '../operation.ts'
import { moment } from '../shapes.ts'

export const staffRoles = ['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor'] as const
export type StaffRole = (typeof staffRoles)[number]

export type ConsoleOperation = AnyOperation & {
  readonly path: `/console/${string}`
  readonly tag: 'Console'
  /** Which staff members may; one of their roles suffices. */
  readonly roles: readonly StaffRole[]
  /** A signature needs a second factor of the last minutes; any other call one of the session. */
  readonly isSignature?: boolean
  /** Hands out what it reads, as a file. */
  readonly isExport?: boolean
  readonly emits?: readonly EventType[]
}

type Access = {
  readonly roles: readonly StaffRole[]
  /** When the person's emergency access, which reads like `records`, ends. */
  readonly emergencyUntil: string | null
}
type Row = Pick<ConsoleOperation, 'roles' | 'isExport'> & { readonly method: string }

/** Whether a row of the console is open to a staff member. Emergency access is for reading: it
 *  changes nothing, and hands nothing out. */
export const isOpenTo = ({ method, roles, isExport }: Row, staff: Access): boolean =>
  roles.some(role => staff.roles.includes(role)) ||
  (staff.emergencyUntil !== null &&
    method === 'GET' &&
    isExport !== true &&
    roles.includes('records'))

/** Keeps every literal of the rows in the type, so that handlers are checked against them. */
export const defineConsole = <const T extends Record<string, ConsoleOperation>>(rows: T): T => rows

export const consoleLimits = {
  /** How old the second factor of a signature may be. */
  signatureMinutes: 15,
  /** How long a claim lasts, unless it is renewed. */
  claimMinutes: 30,
} as const

export const chartReaders = ['clinician', 'nurse', 'records'] as const
export const carers = ['clinician', 'nurse'] as const

/** `updated_at` as it was read: a write is refused when the case or order has changed since. */
export const version = moment({ description: 'The updated_at you read.' })

export const readRow = { method: 'GET', tag: 'Console', status: 200 } as const
export const writeRow = { method: 'POST', tag: 'Console', status: 200 } as const

export const Claim = Type.Object({
  person: Type.String(),
  name: Type.String(),
  until: moment(),
})
