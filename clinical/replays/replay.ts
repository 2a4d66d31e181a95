// A replay as the API returns it. Its deliveries are counted at each read.

import type { PreviewId } from '#contract/preview/operations.ts'
import type { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'

const countOf = (status: string) => sql`
  (select count(*) from deliveries d
    where d.tenant = r.tenant and d.replay = r.id and d.status = ${status})`

/** Expects the row as `r`. */
export const replayColumns: Statement = sql`
  r.id, r.webhook_endpoint, iso(r.since) as since, iso(r.until) as until, r.event_types,
  case when r.failed_only then 'failed' else 'all' end as only, r.status, r.reason,
  case when r.position like '%zzzzzzzzzzzzzzzz' then null else iso(moment_of(r.position)) end as queued_until,
  (select row_to_json(n) from (
     select ${countOf('pending')} as pending, ${countOf('delivered')} as delivered,
            ${countOf('failed')} as failed) n) as deliveries,
  iso(r.created_at) as created_at, iso(r.ended_at) as ended_at`

/** This integration's replay with that ID, as the tail of a select. */
export const replayOf = (id: string): Statement =>
  sql`from replays r where r.tenant = ${integrationTenant} and r.id = ${id}`

type Operation = Extract<PreviewId, 'replayEvents' | 'cancelReplay'>

/** Returns the refusal for a replay that's still running or has already ended. */
export function refusedReplay(
  call: { refuse(code: 'invalid_transition', content: object): Problem },
  operation: Operation,
  { id, status }: { id: string; status: string },
): Problem {
  const isRunning = status === 'running'
  return call.refuse('invalid_transition', {
    detail: isRunning ? 'A replay to this endpoint is still running.' : 'This replay has ended.',
    hint: isRunning
      ? `Poll GET /preview/events/replays/{id} until its status is completed, or cancel it with POST /preview/events/replays/{id}/cancel. Its ID is in resource.`
      : 'An ended replay cannot be changed. Start another with POST /preview/events/replay.',
    members: {
      resource: { type: 'replay', id },
      current_status: status,
      allowed_from: operation === 'cancelReplay' ? ['running'] : [],
    },
  })
}
