import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { encryptedSecret } from '../pipeline/encrypted-members.ts'
import { type AnyCall, type IdParts, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import {
  checkScopes,
  checkTypes,
  checkUrl,
  endpointColumnsWithSecret,
  integrationTenant,
} from './endpoint.ts'

export type Places = { taken: number[] }

const places = Array.from({ length: limits.webhookEndpointsMax }, (_, at) => at + 1)

/** The places taken by endpoints and destinations. */
export const takenPlaces = sql`
  select coalesce(json_agg(place), '[]') as taken from webhook_endpoints
   where tenant = ${integrationTenant}`

/** Concurrent calls may choose the same place; the place's unique index makes the later call decide
 *  again. */
export function freePlace(facts: Places | null): number {
  const place = places.find(one => !facts?.taken.includes(one))
  if (place !== undefined) return place
  throw new Problem('endpoint_limit_reached', {
    detail: `You already have ${limits.webhookEndpointsMax} endpoints, which is the limit.`,
    members: { limit: limits.webhookEndpointsMax },
  })
}

type NewEndpoint = {
  id: IdParts
  place: number
  kind?: string
  settings?: string
  batch?: number
  url: string
  event_types: readonly string[]
  include_resource?: boolean
  description?: string | null
  scopes: readonly string[]
  /** The encrypted secret. */
  secret: string
}

/** The last part of a write that creates an endpoint of any kind. */
export const insertEndpoint = (
  call: AnyCall,
  endpoint: NewEndpoint,
  columns: Statement,
): Statement => sql`
  ${clock(call, 1, sql`go`, integrationTenant)},
  changed as (
    insert into webhook_endpoints (tenant, id, place, kind, settings, url, event_types,
                                   include_resource, scopes, description, secret, created_at,
                                   updated_at)
    select ${integrationTenant}, ${idAt(endpoint.id)}, ${endpoint.place}::int2,
           ${endpoint.kind ?? 'https'}, ${endpoint.settings ?? null}::text::json, ${endpoint.url},
           ${endpoint.event_types}::text[], ${endpoint.include_resource ?? false},
           ${endpoint.scopes}::text[], ${endpoint.description ?? null}, ${endpoint.secret}, c.at, c.at
      from clock c
    returning id, ${published(columns)} as answer
  ), queue as (
    insert into endpoint_queues (tenant, webhook_endpoint, batch)
    select ${integrationTenant}, id, ${endpoint.batch ?? 1}::int2 from changed
  )`

export const createWebhookEndpoint = write('createWebhookEndpoint', {
  encrypted: encryptedSecret,
  facts: () => takenPlaces,
  inspect: async (call, { url }, _facts: Places | null, context) => {
    await checkUrl(call, url, context)
    return context.webhooks.secretOf(call.principal)
  },
  decide: (call, input, facts, secret: string) => {
    checkTypes(input.event_types)
    if (input.include_resource) checkScopes(call, input.event_types)
    const scopes = call.principal.ownScopes
    return {
      ...input,
      place: freePlace(facts),
      scopes,
      secret,
      id: call.mint('webhook_endpoint', 0),
    }
  },
  write: (call, endpoint) => insertEndpoint(call, endpoint, endpointColumnsWithSecret),
})
