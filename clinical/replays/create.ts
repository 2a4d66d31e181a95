// Starts a replay by writing the job, which the worker advances (step.ts). A unique index allows
// one running replay per endpoint, so the second of two concurrent requests is decided again and
// refused.

import { dayMilliseconds } from '#contract/moments.ts'
import { lastIdOf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { fieldMessage } from '#contract/messages/field-messages.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { momentText } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { write } from '../preview/handler.ts'
import {
  checkScopes,
  checkTypes,
  integrationTenant,
  unknownEndpoint,
} from '../webhooks/endpoint.ts'
import { behind, checkPressure, type Pressure } from '../deliveries/lag.ts'
import { refusedReplay, replayColumns } from './replay.ts'

type Facts = Pressure & {
  status: string | null
  event_types: string[]
  include_resource: boolean
  running: string | null
  /** The last timestamp of the tenant's clock, which many concurrent writes move ahead of real
   *  time. */
  last: string
}

type Times = { readonly now: number; readonly latest: number }

const afterLast = (found: Facts | null): number => (found ? Date.parse(found.last) + 1 : 0)

/** `latest` is the tenant's time; the tenant's newest events may be ahead of the caller's clock. */
function checkSpan(since: string, until: string, { now, latest }: Times): void {
  const faults: Fault[] = []
  for (const [name, at] of Object.entries({ since, until })) {
    if (at > momentText(latest)) {
      const message = fieldMessage.inFuture(name)
      faults.push({ pointer: `#/${name}`, code: 'too_large', message })
    }
  }
  const earliest = momentText(now - limits.replayDaysMax * dayMilliseconds)
  if (since < earliest) {
    const message = fieldMessage.tooEarly('since', `${limits.replayDaysMax} days ago`)
    faults.push({ pointer: '#/since', code: 'not_allowed', message })
  }
  if (faults.length === 0 && until <= since) {
    faults.push({
      pointer: '#/until',
      code: 'not_allowed',
      message: 'until must be after since.',
    })
  }
  if (faults.length > 0) throw invalid(faults)
}

export const replayEvents = write('replayEvents', {
  facts: (call, { webhook_endpoint: id }) => sql`
    select w.status, w.event_types, w.include_resource, ${behind}, iso(s.last) as last, (
      select r.id from replays r where r.tenant = w.tenant and r.webhook_endpoint = w.id
         and r.status = 'running') as running
      from tenants s
      left join webhook_endpoints w on w.tenant = ${integrationTenant} and w.id = ${id}
     where s.id = ${tenantOf(call)}`,
  decide: (call, input, found: Facts | null) => {
    const { webhook_endpoint, since, event_types, only = 'failed' } = input
    const latest = Math.max(call.now, afterLast(found))
    const until = input.until ?? momentText(latest)
    checkSpan(since, until, { now: call.now, latest })
    checkTypes(event_types)
    if (!found?.status) throw unknownEndpoint()
    const types = event_types ?? found.event_types
    if (found.include_resource) checkScopes(call, types)
    if (found.status === 'disabled') throw call.refuse('endpoint_disabled')
    const { running } = found
    if (running !== null)
      throw refusedReplay(call, 'replayEvents', { id: running, status: 'running' })
    checkPressure(found)
    return {
      id: call.mint('replay', 0),
      endpoint: webhook_endpoint,
      since,
      until,
      types,
      isFailedOnly: only === 'failed',
    }
  },
  write: (call, { id, endpoint, since, until, types, isFailedOnly }) => sql`
    ${clock(call, 1, sql`go`, integrationTenant)},
    changed as (
      insert into replays as r (tenant, id, webhook_endpoint, event_tenant, since, until,
                                event_types, failed_only, position, created_at)
      select ${integrationTenant}, ${idAt(id)}, ${endpoint}, ${tenantOf(call)},
             ${since}::timestamptz, ${until}::timestamptz, ${types}::text[],
             ${isFailedOnly}::boolean, ${lastIdOf('evt', Date.parse(since) - 1)}, c.at
        from clock c
          on conflict do nothing
      returning r.id, ${published(replayColumns)} as answer
    )`,
})
