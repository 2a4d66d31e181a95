// The authorization server's audit rows: every issuance, refusal and revocation, with the client
// and the person, and never a secret.

import { createBatches } from '#database/batches.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { auditColumns } from '../audit.ts'

/** The facts about a request that its audit rows contain. */
export type AuditedCall = {
  readonly requestId: string
  readonly address: string | null
  readonly agent: string | null
}

export type AuditAction =
  | 'oauth.token'
  | 'oauth.authorize'
  | 'oauth.consent'
  | 'oauth.register'
  | 'oauth.revoke'
  | 'oauth.introspect'
  | 'oauth.device'
  | 'auth.sign_in'
  | 'auth.second_factor'
  | 'auth.sign_out'
  | 'auth.end_access'

/** The action and outcome in an audit row. */
export type AuditSubject = {
  readonly action: AuditAction
  readonly outcome: 'ok' | 'refused' | 'error'
  readonly status: number
  readonly code: string | null
}

const agentMax = 300

/** Inserts a row for each row of `subjects (mode, integration, organization, client, person,
 *  target)`, all for one call. */
export const insertAuditRow = (
  call: AuditedCall,
  about: AuditSubject,
  subjects: Statement,
): Statement =>
  insertAuditRows(
    about,
    sql`select y.*, ${call.requestId}::text, ${call.address}::text, ${call.agent}::text
          from (${subjects}) as y (mode, integration, organization, client, person, target)`,
  )

/** Like `insertAuditRow`, for rows that name their call: `(…, target, request, address, agent)`. */
export const insertAuditRows = (
  { action, outcome, status, code }: AuditSubject,
  subjects: Statement,
): Statement => sql`
  insert into audit.entries (${auditColumns})
  select x.mode, x.integration, x.organization, coalesce(x.person, x.client), x.person, x.client,
         'oauth', ${action}, x.target, ${outcome}, ${status}::int2, ${code}, x.request, x.address,
         left(x.agent, ${agentMax}::int)
    from (${subjects}) as x (mode, integration, organization, client, person, target, request,
                             address, agent)`

export type Refusal = AuditSubject & { readonly client: string | null }

export type RefusalLog = {
  /** Resolves once the row is stored. */
  record(call: AuditedCall, refusal: Refusal): Promise<void>
  flush(): Promise<void>
}

/** Refusals beyond this number are dropped, so a flood can't exhaust memory. */
const waitingMax = 10_000
/** Keeps each statement to a few milliseconds. */
const batchMax = 1000

type RefusalRow = Record<string, unknown>

/** Stores refusals in batches: refusals that arrive while a statement runs go into the next
 *  batch. */
export function openRefusalLog(pool: ConnectionPool): RefusalLog {
  const waiting = new Set<Promise<void>>()
  const write = createBatches<RefusalRow, void>({ batchMax, runningMax: 1 }, async rows => {
    await writeRefusals(pool, rows)
    return rows.map(() => undefined)
  })

  return {
    async record(call, refusal) {
      if (waiting.size >= waitingMax) return
      const { requestId: request, address, agent } = call
      const row = { request, address, agent: agent?.slice(0, agentMax) ?? null, ...refusal }
      const stored = write(row)
      waiting.add(stored)
      return stored.finally(() => waiting.delete(stored))
    },
    async flush() {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}

const writeRefusals = (pool: ConnectionPool, rows: readonly RefusalRow[]) =>
  pool.use(connection =>
    connection.run(sql`
      insert into audit.entries (${auditColumns})
      select c.mode, c.integration, c.organization, r.client, null, r.client, 'oauth', r.action,
             null, r.outcome, r.status, r.code, r.request, r.address, r.agent
        from json_to_recordset(${JSON.stringify(rows)}::text::json)
               as r (client text, action text, outcome text, status int2, code text, request text,
                     address text, agent text)
             left join auth.clients c on c.id = r.client`),
  )
