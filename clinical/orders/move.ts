// Moves orders to a state in ID order, all or none. The caller chooses the orders.

import { connectedTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { clock } from '../pipeline/clock.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import type { OrderStatus } from './order.ts'

export type Move = keyof typeof connectedTransitions

type Reached<M extends Move> = (typeof connectedTransitions)[M]['to']

/** The facts about an order that a move needs. `updated_at` is the version: it increases with every
 *  change. */
export type OrderFacts = {
  id: string
  status: OrderStatus
  updated_at: string
  prescription: string
  prescription_status: string
}

/** The facts' columns; `o` is the order and `p` its prescription. */
export const orderFactColumns = sql`
  o.id, o.status, iso(o.updated_at) as updated_at, o.prescription, p.status as prescription_status`

export type Tracking = { carrier: string; number: string; url?: string | null | undefined }

/** The details of a move: tracking for a shipped order, or a reason for a blocked or failed
 *  order. */
export type MoveDetails = { tracking?: Tracking | null | undefined; reason?: string | undefined }

/** An order that moves: its offset from the write's timestamp, and its prescription's new status.
 */
type MovedOrder = OrderFacts & { ms: number; prescription_to: string | null }

export type OrderPlan<M extends Move = Move> = {
  by: Actor
  moved: MovedOrder[]
  count: number
  to: Reached<M>
  reason: string | null
  tracking: string | null
  events: Emitted<EventOfMove<M>>[]
}

const outcomes = {
  at_pharmacy: ['order.at_pharmacy.v1', null],
  shipped: ['order.shipped.v1', 'filled'],
  delivered: ['order.delivered.v1', null],
  blocked: ['order.blocked.v1', null],
  failed: ['order.failed.v1', 'cancelled'],
} as const

/** The events for the state reached, the state passed through, and the prescription. */
type EventOf<To extends keyof typeof outcomes> =
  | (typeof outcomes)[To][0]
  | (To extends 'shipped' ? 'order.at_pharmacy.v1' : never)
  | ((typeof outcomes)[To][1] extends null ? never : 'prescription.updated.v1')
type EventOfMove<M extends Move> = EventOf<Reached<M>>

export const isMovable = (move: Move, { status }: Pick<OrderFacts, 'status'>): boolean => {
  const from: readonly OrderStatus[] = connectedTransitions[move].from
  return from.includes(status)
}

/** Returns one order's events: the state it passes through, the state it reaches, and its
 *  prescription's change, if any. */
function eventsOf(
  order: MovedOrder,
  to: keyof typeof outcomes,
): Emitted<EventOf<keyof typeof outcomes>>[] {
  const [type] = outcomes[to]
  const passes = to === 'shipped' && order.status !== 'at_pharmacy'
  const from = passes ? 'at_pharmacy' : order.status
  const first = order.ms + 1
  const reached = passes ? first + 1 : first
  const { prescription, prescription_status: was, prescription_to: becomesOf } = order
  return [
    ...(passes
      ? [event(first, 'order.at_pharmacy.v1', order.id, order.status, 'at_pharmacy')]
      : []),
    event(reached, type, order.id, from, to),
    ...(becomesOf === null
      ? []
      : [event(reached + 1, 'prescription.updated.v1', prescription, was, becomesOf)]),
  ]
}

function parcelOf({ tracking }: MoveDetails): string | null {
  if (!tracking) return null
  const { carrier, number, url = null } = tracking
  return JSON.stringify({ carrier, number, url })
}

/** Returns the writes that move these orders. Each order must be movable. */
export function moveOrders<M extends Move>(
  by: Actor,
  move: M,
  orders: readonly OrderFacts[],
  details: MoveDetails,
): OrderPlan<M> {
  const to: Reached<M> = connectedTransitions[move].to
  const [, becomes] = outcomes[to]
  const events: Emitted<EventOfMove<M>>[] = []
  let next = 0
  const moved = orders.map(order => {
    const active = order.prescription_status === 'active'
    const one = { ...order, ms: next, prescription_to: active ? becomes : null }
    const orderEvents = eventsOf(one, to) as typeof events
    events.push(...orderEvents)
    next += orderEvents.length + 1
    return one
  })
  const { reason = null } = details
  return { by, moved, count: next, to, reason, tracking: parcelOf(details), events }
}

/** `changed` selects the ID and response after the move, where `clock` has a row. A response about
 *  the orders reads them from `moved`, because a statement can't see its own changes. */
export function writeOrders(call: AnyCall, plan: OrderPlan, changed: Statement): Statement {
  const { by, moved, count, to, reason, tracking, events } = plan
  const moves = sql`json_to_recordset(${JSON.stringify(moved)}::text::json) as m (id text,
    updated_at timestamptz, ms int, prescription text, prescription_to text)`
  return sql`
    locked as materialized (
      select o.id from ${moves} join orders o on o.tenant = ${tenantOf(call)} and o.id = m.id
         and o.updated_at = m.updated_at
       where exists (select from go) for no key update of o
    ), ready as materialized (
      select 1 as yes from go where (select count(*) from locked) = ${moved.length}::int
    ), ${clock(call, count, sql`ready`)},
    moved as (
      update orders o set status = ${to}, status_at = c.at + m.ms * interval '1 ms',
             updated_at = c.at + m.ms * interval '1 ms', reason = ${reason}::text,
             moved_by = ${by.person}, moved_by_name = ${by.name},
             tracking = coalesce(${tracking}::text::json, o.tracking),
             shipped_at = case when ${to} = 'shipped' then c.at + m.ms * interval '1 ms'
                               else o.shipped_at end,
             delivered_at = case when ${to} = 'delivered' then c.at + m.ms * interval '1 ms' end
        from clock c, ${moves}
       where o.tenant = ${tenantOf(call)} and o.id = m.id
      returning o.*
    ), prescribed as (
      update prescriptions p set status = m.prescription_to,
             updated_at = c.at + m.ms * interval '1 ms'
        from clock c, ${moves}
       where p.tenant = ${tenantOf(call)} and p.id = m.prescription
         and m.prescription_to is not null
    ), changed as (${changed}), ${emitAny(call, events)}`
}
