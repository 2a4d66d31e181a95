// Events are inserted by the statement that changes the resource. Polling, webhooks and realtime
// read the same row in ID order, so they can't disagree.

import type { OperationId } from '#contract/api.ts'
import type { EventType } from '#contract/events.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { idAt, momentAt } from './clock.ts'
import { type AnyCall, type Call, type EventOf, type IdParts, tenantOf } from './handler.ts'

export type Emitted<T extends EventType> = {
  at: number
  type: T
  resource: string | IdParts
  previous: string | null
  status: string
}

/** An event `at` milliseconds after the write's first timestamp: its resource changed status or, if
 *  `previous` is null, was created. */
export const event = <T extends EventType>(
  at: number,
  type: T,
  resource: string | IdParts,
  previous: string | null,
  status: string,
): Emitted<T> => ({ at, type, resource, previous, status })

/** Common table expressions that insert events in order; `clock` has the write's timestamp. */
export const emit = <K extends OperationId>(
  call: Call<K>,
  events: readonly Emitted<EventOf<K>>[],
): Statement => emitAny(call, events)

/** Like `emit`, for code shared by several tables' operations, where no single row declares the
 *  events. Nearly all writes have few events; one select per event costs half of what reading JSON
 *  does. */
export const emitAny = (call: AnyCall, events: readonly Emitted<EventType>[]): Statement => sql`
  emitted as (
    insert into events (tenant, id, type, resource_type, resource_id, status, previous_status,
                        created_at, request)
    ${events.length <= 3 ? eventsOneByOne(call, events) : eventsOfJson(call, events)}
  )`

function eventsOneByOne(call: AnyCall, events: readonly Emitted<EventType>[]): Statement {
  const [first, ...others] = events.map(
    ({ at, type, resource, previous, status }) => sql`
    select ${tenantOf(call)}, ${idAt(call.mint('event', at))}, ${type}::text,
           ${resourceTypeOf(type)}::text, ${typeof resource === 'string' ? sql`${resource}::text` : idAt(resource)},
           ${status}::text, ${previous}::text, ${momentAt(at)}, ${call.request}::text
      from clock c`,
  )
  return others.reduce((all, one) => sql`${all} union all ${one}`, first ?? nothing)
}

const resourceTypeOf = (type: EventType) => type.slice(0, type.indexOf('.'))

const mintedColumns = ({ prefix, at, random }: IdParts) => ({
  prefix,
  minted_ms: at,
  minted_random: random,
})

function eventsOfJson(call: AnyCall, events: readonly Emitted<EventType>[]): Statement {
  const rows = events.map(({ at, type, resource, previous, status }) => {
    const about = typeof resource === 'string' ? { resource } : mintedColumns(resource)
    const { random } = call.mint('event', at)
    return { ms: at, random, type, of: resourceTypeOf(type), ...about, status, previous }
  })
  return sql`
    select ${tenantOf(call)}, ulid('evt', c.at + e.ms * interval '1 ms', e.random), e.type, e.of,
           coalesce(e.resource, ulid(e.prefix, c.at + e.minted_ms * interval '1 ms', e.minted_random)),
           e.status, e.previous, c.at + e.ms * interval '1 ms', ${call.request}
      from clock c, json_to_recordset(${JSON.stringify(rows)}::text::json) as e (ms int, random text,
           type text, of text, resource text, prefix text, minted_ms int, minted_random text,
           status text, previous text)`
}
