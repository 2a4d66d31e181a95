// The audit rows of what people do on the pages. A row names the person by id, never by an email
// address, and holds no code and no token.

import { sql } from '#database/sql.ts'
import { type AuditAction, insertAuditRow } from '../oauth/audit.ts'
import type { PageCall, PageContext } from './context.ts'

export type PageOutcome = {
  readonly action: AuditAction
  readonly outcome: 'ok' | 'refused'
  readonly status: number
  readonly code: string | null
}

export const auditedCall = ({ request }: PageCall) => ({
  requestId: request.requestId,
  address: request.address,
  agent: request.header('user-agent'),
})

/** For what is no statement of its own. `person` null: unknown. */
export const record = (
  { pool }: PageContext,
  call: PageCall,
  person: string | null,
  outcome: PageOutcome,
  client: string | null = null,
) =>
  pool.use(connection =>
    connection.run(
      insertAuditRow(
        auditedCall(call),
        outcome,
        sql`values (null::text, null::text, null::text, ${client}::text, ${person}::text, null::text)`,
      ),
    ),
  )
