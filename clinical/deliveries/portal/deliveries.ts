// Deliveries to every endpoint, newest first. A status or event filter uses the per-endpoint
// indexes, once for each endpoint with deliveries, including deleted endpoints.

import { firstIdOf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newestFirst, newestPage, read, when } from '../../portal/handler.ts'
import { oldestId } from '../../pipeline/pages.ts'
import { published } from '../../pipeline/publish.ts'
import { integrationTenant } from '../../webhooks/endpoint.ts'

/** Expects a row of `deliveries` in scope. */
export const deliverySummary: Statement = sql`
  id, event, event_type, webhook_endpoint,
  (select w.url from webhook_endpoints w where w.tenant = deliveries.tenant
      and w.id = deliveries.webhook_endpoint) as url,
  (select w.kind from webhook_endpoints w where w.tenant = deliveries.tenant
      and w.id = deliveries.webhook_endpoint) as kind,
  status, redelivery, attempt, http_status, latency_ms, error,
  iso(next_attempt_at) as next_attempt_at, iso(last_attempt_at) as last_attempt_at,
  iso(created_at) as created_at`

/** The endpoints with deliveries, each found by one index lookup. */
const endpoints: Statement = sql`
  with recursive known (id) as (
    (select webhook_endpoint from all_deliveries where tenant = ${integrationTenant}
      order by webhook_endpoint limit 1)
    union all
    select (select d.webhook_endpoint from all_deliveries d
             where d.tenant = ${integrationTenant} and d.webhook_endpoint > known.id
             order by d.webhook_endpoint limit 1)
      from known where known.id is not null
  ) select id from known where id is not null`

/** The dispatcher creates one delivery per event and endpoint; all other deliveries were
 *  requested. */
const ofEvent = (event: string): Statement => sql`
  select d.id from (${endpoints}) e
    join all_deliveries d on d.tenant = ${integrationTenant} and d.webhook_endpoint = e.id
     and d.event = ${event} and not d.redelivery
  union all
  select id from all_deliveries where tenant = ${integrationTenant} and event = ${event} and redelivery`

/** Reads rows found by an index, each by its ID. Without the fence, the planner might read all
 *  deliveries, newest first, until enough of them match. */
const readEach = (ids: Statement): Statement => sql`
  (${ids}) found cross join lateral (
    select * from all_deliveries where tenant = ${integrationTenant} and id = found.id offset 0) deliveries`

const firstIdAt = (moment: string) => firstIdOf('dlv', Date.parse(moment))

export const listNewestDeliveries = read('listNewestDeliveries', (call, input) => {
  const { webhook_endpoint: endpoint, event } = input
  const conditions = sql`
    and id > ${oldestId(call, 'dlv', limits.sandboxRowDays)}
    ${when(input.status, one => sql`and status = ${one}`)}
    ${when(input.event_type, one => sql`and event_type = ${one}`)}
    ${when(input.since, one => sql`and id >= ${firstIdAt(one)}`)}
    ${when(input.until, one => sql`and id < ${firstIdAt(one)}`)}`
  const byEndpoint = sql`
    select d.id from (${endpoints}) e cross join lateral (
      select id from all_deliveries
       where tenant = ${integrationTenant} and webhook_endpoint = e.id ${conditions}
         ${newestFirst(input)}) d`
  const isByEndpoint = input.status !== undefined && endpoint === undefined
  const from =
    event !== undefined
      ? readEach(ofEvent(event))
      : isByEndpoint
        ? readEach(byEndpoint)
        : sql`all_deliveries deliveries`
  return newestPage(
    input,
    sql`
      select id, ${published(deliverySummary)} as item from (select deliveries.* from ${from}) deliveries
       where tenant = ${integrationTenant}
         ${when(endpoint, one => sql`and webhook_endpoint = ${one}`)} ${conditions}`,
  )
})
