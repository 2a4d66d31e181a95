import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { encryptedSecret } from '../pipeline/encrypted-members.ts'
import { write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import {
  checkScopes,
  checkTypes,
  checkUrl,
  endpointColumnsWithSecret,
  integrationTenant,
} from './endpoint.ts'

type Facts = { taken: number[] }

const places = Array.from({ length: limits.webhookEndpointsMax }, (_, at) => at + 1)

export const createWebhookEndpoint = write('createWebhookEndpoint', {
  encrypted: encryptedSecret,
  facts: () => sql`
    select coalesce(json_agg(place), '[]') as taken from webhook_endpoints
     where tenant = ${integrationTenant}`,
  inspect: async (call, { url }, _facts: Facts | null, context) => {
    await checkUrl(call, url, context)
    return context.webhooks.secretOf(call.principal)
  },
  decide: (call, input, facts, secret: string) => {
    checkTypes(input.event_types)
    if (input.include_resource) checkScopes(call, input.event_types)
    // Concurrent calls may choose the same place; its unique index makes the later decide again.
    const place = places.find(one => !facts?.taken.includes(one))
    if (place === undefined) {
      throw call.refuse('endpoint_limit_reached', {
        detail: `You already have ${limits.webhookEndpointsMax} endpoints, which is the limit.`,
        members: { limit: limits.webhookEndpointsMax },
      })
    }
    return { ...input, place, secret, id: call.mint('webhook_endpoint', 0) }
  },
  write: (call, endpoint) => sql`
    ${clock(call, 1, sql`go`, integrationTenant)},
    changed as (
      insert into webhook_endpoints (tenant, id, place, url, event_types, include_resource,
                                     scopes, description, secret, created_at, updated_at)
      select ${integrationTenant}, ${idAt(endpoint.id)}, ${endpoint.place}::int2, ${endpoint.url},
             ${endpoint.event_types}::text[], ${endpoint.include_resource ?? false},
             ${call.principal.ownScopes}::text[], ${endpoint.description ?? null}, ${endpoint.secret},
             c.at, c.at
        from clock c
      returning id, ${published(endpointColumnsWithSecret)} as answer
    ), queue as (
      insert into endpoint_queues (tenant, webhook_endpoint) select ${integrationTenant}, id from changed
    )`,
})
