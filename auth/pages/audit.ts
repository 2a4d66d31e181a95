// Audit rows for people's actions on the pages. A row names the person by ID, never by email
// address, and contains no code or token.

import { sql } from '#database/sql.ts'
import type { OwnAct } from '../accounts/own-acts.ts'
import { type AuditAction, insertAuditRow } from '../oauth/audit.ts'
import type { AnyCall, PageContext } from './context.ts'

export type PageOutcome = {
  readonly action: AuditAction
  readonly outcome: 'ok' | 'refused'
  readonly status: number
  readonly code: string | null
}

export const auditedCall = ({ request, agent }: AnyCall) => ({
  requestId: request.id,
  address: request.address,
  agent,
})

export const ownActOf = ({ request, agent }: AnyCall): OwnAct => ({
  surface: 'oauth',
  request: request.id,
  address: request.address,
  agent,
})

/** Audits actions that don't run a statement of their own. `person` is null if unknown. */
export const record = (
  { pool }: PageContext,
  call: AnyCall,
  person: string | null,
  outcome: PageOutcome,
) =>
  pool.use(connection =>
    connection.run(
      insertAuditRow(
        auditedCall(call),
        outcome,
        sql`values (null::text, null::text, null::text, null::text, ${person}::text, null::text)`,
      ),
    ),
  )
