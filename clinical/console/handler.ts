// The type of console handlers (clinical/pipeline/handler.ts), and helpers for their writes.

import type { consoleOperations } from '#contract/console/operations.ts'
import type { EmitsOf, InputOf } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Staff } from '#auth/staff-caller.ts'
import { sql } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import type { Emitted } from '../pipeline/emit.ts'
import {
  type AnyCall,
  type AnyPrincipal,
  type CallIn,
  handlersOf,
  type WriteHandler,
  type WriteIn,
} from '../pipeline/handler.ts'

/** A staff member acting for their clinic. `tenant` belongs to the resource in the path. */
export type StaffPrincipal = AnyPrincipal & {
  readonly person: string
  readonly organization: { readonly id: string }
  readonly staff: Staff
}

type Table = typeof consoleOperations
const handlers = handlersOf<Table, StaffPrincipal>()
export const { read } = handlers

/** The events a decision emits; the compiler accepts only events that its operation declares. */
type Emitting<K extends keyof Table> = [EmitsOf<Table[K]>] extends [never]
  ? object & { readonly events?: readonly never[] }
  : { readonly events: readonly Emitted<EmitsOf<Table[K]>>[] }

type WriteOf<K extends keyof Table, F, D extends Emitting<K>, S> = WriteHandler<
  CallIn<Table, K, StaffPrincipal>,
  InputOf<Table[K]>,
  F,
  S,
  D
>

export const write: <K extends keyof Table, F, D extends Emitting<K>, S = undefined>(
  id: K,
  handler: WriteOf<K, F, D, S>,
) => WriteIn<Table, K, StaffPrincipal> = handlers.write

/** A call to any console operation. */
export type StaffCall = AnyCall & { readonly principal: StaffPrincipal }

export const actorOf = ({ principal }: StaffCall): Actor => ({
  person: principal.person,
  name: principal.staff.name,
})

/** Throws unless the row exists and hasn't changed since it was read. */
export function sameVersion<F extends { updated_at: string }>(
  found: F | null,
  { version }: { version: string },
): F {
  if (!found) throw new Problem('not_found')
  if (Date.parse(found.updated_at) === Date.parse(version)) return found
  throw new Problem('version_changed', { members: { version: found.updated_at } })
}

const tenantColumns = {
  cases: sql`cases.tenant`,
  patients: sql`patients.tenant`,
  visits: sql`visits.tenant`,
} as const

/** A row's integration; `of` is the row's table. */
export const integrationOf = (of: keyof typeof tenantColumns) => sql`(
  select row_to_json(i) from (
    select n.id, n.name from tenants t join auth.integrations n on n.id = t.integration
     where t.id = ${tenantColumns[of]}) i) as integration`
