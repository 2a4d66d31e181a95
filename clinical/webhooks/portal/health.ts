import { firstIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { paging } from '../../pipeline/pages.ts'
import { idAndItem } from '../../pipeline/publish.ts'
import { read } from '../../portal/handler.ts'
import { integrationTenant } from '../endpoint.ts'

const day = 86_400_000
/** The latest attempt is one of the newest deliveries, or of one that is tried again. */
const newest = 200

// The failures are the rows that disable the endpoint when they are enough. A delivery's id begins
// with the moment it was made, so the deliveries of a day in each state are counted in an index.
export const listEndpointHealth = read('listEndpointHealth', (call, input) => {
  // Both ends, although none is later: a plan for any values takes a span to be short.
  const inSpan = sql`
    d.id >= ${firstIdOf('dlv', call.now - day)} and d.id < ${firstIdOf('dlv', call.now + day)}`
  const count = (status: 'delivered' | 'failed' | 'pending') => sql`
    (select count(*)::int from deliveries d
      where d.tenant = w.tenant and d.webhook_endpoint = w.id and d.status = ${status}
        and ${inSpan})`
  return {
    rows: sql`
      select ${idAndItem(sql`
               id, failures, delivered, failed, pending, iso(last_attempt_at) as last_attempt_at`)}
        from (
          select w.id, ${count('delivered')} as delivered, ${count('failed')} as failed,
                 ${count('pending')} as pending,
                 (select count(*)::int from failed_events
                   where tenant = w.tenant and webhook_endpoint = w.id) as failures,
                 (select max(n.last_attempt_at) from (
                    select last_attempt_at from deliveries d
                     where d.tenant = w.tenant and d.webhook_endpoint = w.id and ${inSpan}
                     order by d.id desc limit ${newest}::int) n) as last_attempt_at
            from webhook_endpoints w
           where w.tenant = ${integrationTenant}) health
       where true ${paging(input)}`,
  }
})
