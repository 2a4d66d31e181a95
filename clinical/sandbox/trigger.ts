// Writes a test event about a nonexistent resource. The event is listed, delivered and signed like
// any other. The resource that it embeds is created once, here, so every attempt and poll returns
// the same data.

import { type EventResource, type EventType, resourceOf } from '#contract/events.ts'
import { schemaExamples } from '#contract/examples/schemas.ts'
import { prefixes } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { eventColumns } from '../events/event.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { behind, checkPressure, type Pressure } from '../deliveries/lag.ts'
import {
  anyEndpointOf,
  checkScopes,
  integrationTenant,
  unknownEndpoint,
} from '../webhooks/endpoint.ts'
import { typicalStatuses } from './typical.ts'

type Facts = Pressure & { status: string | null; embeds: boolean }

const schemaOf: Record<EventResource, string> = {
  patient: 'Patient',
  case: 'Case',
  prescription: 'Prescription',
  order: 'Order',
  visit: 'Visit',
  consent: 'Consent',
  file: 'File',
  charge: 'Charge',
  webhook_endpoint: 'WebhookEndpoint',
}

/** A placeholder for the resource's ID, which the statement creates from the tenant's clock. */
const idPlaceholder = 'the id of the example resource'

/** Returns the contract's example of the resource, in the event's status. */
function exampleOf(type: EventType, status: string): string {
  if (type === 'patient.deleted.v1') return JSON.stringify({ id: idPlaceholder, deleted: true })
  const example = schemaExamples[schemaOf[resourceOf(type)]]
  const members = typeof example === 'object' && example !== null ? example : {}
  const statusMember = 'status' in members ? { status } : {}
  return JSON.stringify({ ...members, ...statusMember, id: idPlaceholder })
}

export const triggerWebhook = write('triggerWebhook', {
  facts: (_call, { type, webhook_endpoint = null }) => sql`
    select (select status ${anyEndpointOf(webhook_endpoint ?? '')}) as status, ${behind}, exists (
      select from webhook_endpoints where tenant = ${integrationTenant} and include_resource
         and case when ${webhook_endpoint}::text is not null then id = ${webhook_endpoint}::text
                  else status = 'enabled' and event_types && ${['*', type]}::text[] end) as embeds`,
  decide: (call, { type, webhook_endpoint = null }, facts: Facts | null) => {
    if (webhook_endpoint !== null && !facts?.status) throw unknownEndpoint()
    if (facts?.status === 'disabled') throw call.refuse('endpoint_disabled')
    if (facts?.embeds) checkScopes(call, [type])
    if (facts) checkPressure(facts)
    const [previous, status] = typicalStatuses[type]
    const kind = resourceOf(type)
    return {
      type,
      kind,
      previous,
      status,
      webhook_endpoint,
      prefix: prefixes[kind],
      made: exampleOf(type, status),
      event: call.mint('event', 0),
      about: call.mint(kind, 0),
    }
  },
  write: (call, trigger) => sql`
    ${clock(call, 1, sql`go`)},
    named as materialized (
      select c.at, ulid('evt', c.at, ${trigger.event.random}) as id,
             ulid(${trigger.prefix}, c.at, ${trigger.about.random}) as about from clock c
    ), changed as (
      insert into events (tenant, id, type, resource_type, resource_id, status, previous_status,
                          created_at, request, webhook_endpoint, fabricated)
      select ${tenantOf(call)}, n.id, ${trigger.type}, ${trigger.kind}, n.about, ${trigger.status},
             ${trigger.previous}::text, n.at, ${call.request}::text, ${trigger.webhook_endpoint}::text,
             replace(${trigger.made}, ${idPlaceholder}, n.about)::json
        from named n
      returning id, ${published(eventColumns(call))} as answer
    )`,
})
