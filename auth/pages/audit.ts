// The audit rows of what people do on the pages. A row names the person by id, never by an email
// address, and holds no code and no token.

import { sql, type Statement } from '#database/sql.ts'
import type { PageCall, PageContext } from './context.ts'
import type { PageRequest } from './page.ts'

export type PageAction =
  | 'auth.sign_in'
  | 'auth.second_factor'
  | 'auth.sign_out'
  | 'auth.consent'
  | 'auth.device'
  | 'auth.end_access'

export type PageOutcome = {
  readonly action: PageAction
  readonly outcome: 'ok' | 'refused'
  readonly status: number
  readonly code?: string
}

const agentMax = 300

/** Inserts a row for each row of `subjects (integration, person, target)`. */
export const insertPageAudit = (
  request: PageRequest,
  { action, outcome, status, code }: PageOutcome,
  subjects: Statement,
): Statement => sql`
  insert into audit.entries (mode, integration, actor, surface, action, target, outcome, status,
                             code, request, address, agent)
  select case when x.integration is not null then 'test' end, x.integration, x.person, 'oauth',
         ${action}, x.target, ${outcome}, ${status}::int2, ${code ?? null}, ${request.requestId},
         ${request.address}, ${request.header('user-agent')?.slice(0, agentMax) ?? null}
    from (${subjects}) as x (integration, person, target)`

/** For what is no statement of its own. `person` null: unknown. */
export const record = (
  { pool }: PageContext,
  { request }: PageCall,
  person: string | null,
  outcome: PageOutcome,
) =>
  pool.use(connection =>
    connection.run(
      insertPageAudit(request, outcome, sql`values (null::text, ${person}::text, null::text)`),
    ),
  )
