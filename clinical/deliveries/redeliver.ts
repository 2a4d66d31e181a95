// Sends an event again: creates a new delivery for each endpoint, with the full retry schedule.

import type { EventType } from '#contract/events.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { behind, checkPressure, type Pressure } from './lag.ts'
import { deliveryColumns } from './delivery.ts'
import { checkScopes, integrationTenant, unknownEndpoint } from '../webhooks/endpoint.ts'

type Endpoint = { id: string; status: string; event_types: string[]; include_resource: boolean }
type Facts = Pressure & { id: string; type: EventType; about: string; endpoints: Endpoint[] }

const isSubscribed = ({ type, about }: Facts, { id, event_types }: Endpoint) =>
  (event_types.includes(type) || event_types.includes('*')) &&
  !(type === 'webhook_endpoint.disabled.v1' && about === id)

export const redeliverEvent = write('redeliverEvent', {
  facts: (call, { id }) => sql`
    select e.id, e.type, e.resource_id as about, ${behind}, (
      select coalesce(json_agg(row_to_json(w) order by w.id), '[]') from (
        select id, status, event_types, include_resource from webhook_endpoints where tenant = ${integrationTenant}) w
    ) as endpoints
      from events e where e.tenant = ${tenantOf(call)} and e.id = ${id}`,
  decide: (call, { webhook_endpoint }, found: Facts | null) => {
    if (!found) throw call.refuse('not_found')
    checkPressure(found)
    const { id, type, endpoints } = found
    const named = endpoints.filter(one => one.id === webhook_endpoint)
    if (webhook_endpoint !== undefined) {
      const [only] = named
      if (!only) throw unknownEndpoint()
      if (only.status === 'disabled') throw call.refuse('endpoint_disabled')
    }
    const subscribed = endpoints.filter(one => one.status === 'enabled' && isSubscribed(found, one))
    const receiving = webhook_endpoint === undefined ? subscribed : named
    if (receiving.some(one => one.include_resource)) checkScopes(call, [type])
    const chosen = receiving.map((one, at) => ({
      endpoint: one.id,
      ms: at,
      random: call.mint('delivery', at).random,
    }))
    return { id, type, chosen }
  },
  write: (call, { id, type, chosen }) => {
    if (chosen.length === 0) {
      return sql`
        changed as (select ${id}::text as id, '{"data":[],"has_more":false}' as answer from go)`
    }
    const endpoints = chosen.map(one => one.endpoint)
    return sql`
      listening as materialized (
        select id from webhook_endpoints
         where tenant = ${integrationTenant} and id = any (${endpoints}::text[]) and status = 'enabled'
           and exists (select from go)
         order by id for share
      ), ready as materialized (
        select 1 as yes from go where (select count(*) from listening) = ${chosen.length}::int
      ), ${clock(call, chosen.length, sql`ready`, integrationTenant)},
      made as (
        insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                redelivery, next_attempt_at, created_at)
        select ${integrationTenant}, ulid('dlv', x.at, x.random), ${id},
               ${tenantOf(call)}, ${type}, x.endpoint, true, x.at, x.at
          from (select j.*, c.at + j.ms * interval '1 ms' as at
                  from clock c, json_to_recordset(${JSON.stringify(chosen)}::text::json)
                                  as j (endpoint text, ms int, random text)) x
        returning id, webhook_endpoint, ${published(deliveryColumns)} as item
      ), due as (
        insert into due_deliveries (tenant, delivery, webhook_endpoint, due_at)
        select ${integrationTenant}, id, webhook_endpoint, now() from made
      ), locked as materialized (
        -- Locks several endpoint queues in the same order as every other statement.
        select webhook_endpoint from endpoint_queues
         where tenant = ${integrationTenant} and webhook_endpoint in (select webhook_endpoint from made)
         order by webhook_endpoint for no key update
      ), scheduled as (
        update endpoint_queues l set next_due = least(l.next_due, now()) from locked
         where l.tenant = ${integrationTenant} and l.webhook_endpoint = locked.webhook_endpoint
      ), changed as (
        select ${id}::text as id,
               '{"data":[' || string_agg(item, ',' order by id) || '],"has_more":false}' as answer
          from made having count(*) > 0
      )`
  },
})
