// Writes a real event about a resource that never was: listed, delivered and signed like any other.
// What it would embed is made up once, here, so that every attempt and every poll says the same.

import { type EventResource, type EventType, resourceOf } from '#contract/events.ts'
import { schemaExamples } from '#contract/examples/schemas.ts'
import { prefixes } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { eventColumns } from '../events/event.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { behind, checkPressure, type Pressure } from '../webhooks/lag.ts'
import { endpointOf, unknownEndpoint } from '../webhooks/endpoint.ts'
import { typicalStatuses } from './typical.ts'

type Facts = Pressure & { status: string | null }

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

/** Stands for the id until the clock has given it. */
const unborn = 'the id of what never was'

/** The contract's own example of the resource, in the status that the event tells. */
function madeUp(type: EventType, status: string): string {
  if (type === 'patient.deleted.v1') return JSON.stringify({ id: unborn, deleted: true })
  const example = schemaExamples[schemaOf[resourceOf(type)]]
  const members = typeof example === 'object' && example !== null ? example : {}
  const known = 'status' in members ? { status } : {}
  return JSON.stringify({ ...members, ...known, id: unborn })
}

export const triggerWebhook = write('triggerWebhook', {
  facts: (_call, { webhook_endpoint = '' }) =>
    sql`select (select status ${endpointOf(webhook_endpoint)}) as status, ${behind}`,
  decide: (call, { type, webhook_endpoint = null }, facts: Facts | null) => {
    if (webhook_endpoint !== null && !facts?.status) throw unknownEndpoint()
    if (facts?.status === 'disabled') throw call.refuse('endpoint_disabled')
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
      made: madeUp(type, status),
      event: call.mint('event', 0),
      about: call.mint(kind, 0),
    }
  },
  write: (call, told) => sql`
    ${clock(call, 1, sql`go`)},
    named as materialized (
      select c.at, ulid('evt', c.at, ${told.event.random}) as id,
             ulid(${told.prefix}, c.at, ${told.about.random}) as about from clock c
    ), changed as (
      insert into events (tenant, id, type, resource_type, resource_id, status, previous_status,
                          created_at, fabricated)
      select ${tenantOf(call)}, n.id, ${told.type}, ${told.kind}, n.about, ${told.status},
             ${told.previous}::text, n.at, replace(${told.made}, ${unborn}, n.about)::json
        from named n
      returning id, ${published(eventColumns(call))} as answer
    ), queued as (
      insert into outbox (tenant, event, webhook_endpoint)
      select ${tenantOf(call)}, id, ${told.webhook_endpoint}::text from changed
    )`,
})
