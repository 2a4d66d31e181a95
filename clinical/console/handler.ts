// The type of handlers of the console (clinical/pipeline/handler.ts), and what its writes share.

import type { consoleOperations } from '#contract/console.ts'
import type { EmitsOf } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Staff } from '#auth/staff-caller.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { emitAny, type Emitted } from '../events/emit.ts'
import { type AnyCall, type AnyPrincipal, handlersOf } from '../pipeline/handler.ts'

/** A member of staff, acting for their clinic. `tenant` is that of the resource in the path. */
export type StaffPrincipal = AnyPrincipal & {
  readonly person: string
  readonly organization: { readonly id: string }
  readonly staff: Staff
}

export const { read, write } = handlersOf<typeof consoleOperations, StaffPrincipal>()

/** Events of an operation: the compiler accepts only those that its row declares. */
export const emitOf = <K extends keyof typeof consoleOperations>(
  _: K,
  call: AnyCall,
  events: readonly Emitted<EmitsOf<(typeof consoleOperations)[K]>>[],
): Statement => emitAny(call, events)

type StaffCall = { readonly principal: StaffPrincipal }

export const actorOf = ({ principal }: StaffCall): Actor => ({
  person: principal.person,
  name: principal.staff.name,
})

/** Of a transition that the status does not allow. */
export const refusedHint = 'Read it again: another operation may be possible in its status.'

/** Throws unless it exists and has not changed since it was read. */
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

/** The integration of a row, where `of` is its table. */
export const integrationOf = (of: keyof typeof tenantColumns) => sql`(
  select row_to_json(i) from (
    select n.id, n.name from tenants t join auth.integrations n on n.id = t.integration
     where t.id = ${tenantColumns[of]}) i) as integration`
