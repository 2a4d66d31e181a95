// Ship, deliver, block and fail: each changes every order of the case whose status allows it, in
// order of id, all or none.

import type { Input } from '#contract/api.ts'
import { caseTransitions, orderTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, type Emitted, event } from '../events/emit.ts'
import { type Call, type EventOf, tenantOf, write } from '../pipeline/handler.ts'
import type { OrderStatus } from '../orders/order.ts'
import { published } from '../pipeline/publish.ts'

type Control = 'shipCase' | 'deliverCase' | 'blockCase' | 'failCase'
type Event = Emitted<EventOf<Control>>

type Order = {
  id: string
  status: OrderStatus
  updated_at: string
  prescription: string
  prescription_status: string
}
type Facts = { id: string; status: string; orders: Order[] }

/** An order that changes: its offset from the write's timestamp, and its prescription's new
 *  status. */
type OrderMove = Order & { ms: number; prescription_to: string | null }
type Decision = {
  id: string
  moved: OrderMove[]
  count: number
  to: OrderStatus
  reason: string | null
  tracking: string | null
  events: Event[]
}

const controls = {
  shipCase: 'ship',
  deliverCase: 'deliver',
  blockCase: 'block',
  failCase: 'fail',
} as const

const outcomes = {
  shipped: ['order.shipped.v1', 'filled'],
  delivered: ['order.delivered.v1', null],
  blocked: ['order.blocked.v1', null],
  failed: ['order.failed.v1', 'cancelled'],
} as const

const factsOf = (call: Call<Control>, id: string): Statement => sql`
  select c.id, c.status, (
    select coalesce(json_agg(row_to_json(o)), '[]') from (
      select o.id, o.status, iso(o.updated_at) as updated_at, o.prescription,
             p.status as prescription_status
        from orders o join prescriptions p on p.tenant = o.tenant and p.id = o.prescription
       where o.tenant = c.tenant and o."case" = c.id order by o.id) o
  ) as orders
    from cases c where c.tenant = ${tenantOf(call)} and c.id = ${id}`

/** The events of one order: the state that it passes through, the state that it reaches, and its
 *  prescription's change if there is one. */
function eventsOf(order: OrderMove, to: keyof typeof outcomes): Event[] {
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

/** The optional members of the four bodies. The contract allows tracking for ship and a reason for
 *  block only. */
const bodyOf = (input: Input<Control>) =>
  input as Partial<Pick<Input<'shipCase'>, 'tracking'> & Pick<Input<'blockCase'>, 'reason'>>

function parcelOf({ tracking }: ReturnType<typeof bodyOf>): string | null {
  if (!tracking) return null
  const { carrier, number, url = null } = tracking
  return JSON.stringify({ carrier, number, url })
}

const decidable: readonly string[] = caseTransitions.decide.from

/** A case without orders has not been approved, or cannot be any more. */
function nothingMoves({ status, orders }: Facts, move: string) {
  if (orders.length === 0) {
    return {
      detail: `This case has no orders. The status of this case is ${status}.`,
      hint: decidable.includes(status)
        ? 'Approve the case first: POST /v1/test/cases/{id}/decision.'
        : 'Only an approved case has orders. File another case: POST /v1/cases.',
    }
  }
  const detail = `No order of this case has a status that ${move} accepts.`
  const ships: readonly OrderStatus[] = orderTransitions.ship.from
  return move === 'deliver' && orders.some(one => ships.includes(one.status))
    ? { detail, hint: 'Ship the orders first: POST /v1/test/cases/{id}/ship.' }
    : { detail }
}

const control = (operation: Control) =>
  write<Control, Facts, Decision>(operation, {
    facts: (call, { id }) => factsOf(call, id),
    decide: (call, input, found) => {
      if (!found) throw call.refuse('not_found')
      const { from, to } = orderTransitions[controls[operation]]
      const movable = found.orders.filter(one =>
        (from as readonly OrderStatus[]).includes(one.status),
      )
      if (movable.length === 0) {
        throw call.refuse('invalid_transition', {
          ...nothingMoves(found, controls[operation]),
          members: {
            resource: { type: 'case', id: found.id },
            current_status: found.status,
            allowed_from: from.toSorted(),
            orders: found.orders.map(({ id, status }) => ({ id, status })),
          },
        })
      }
      const events: Event[] = []
      let next = 0
      const moved = movable.map(order => {
        const [, becomesOf] = outcomes[to]
        const active = order.prescription_status === 'active'
        const one = { ...order, ms: next, prescription_to: active ? becomesOf : null }
        const orderEvents = eventsOf(one, to)
        events.push(...orderEvents)
        next += orderEvents.length + 1
        return one
      })
      const body = bodyOf(input)
      const { reason = null } = body
      return { id: found.id, moved, count: next, to, reason, tracking: parcelOf(body), events }
    },
    write: (call, decision) => writeMoves(call, decision),
  })

function writeMoves(call: Call<Control>, decision: Decision): Statement {
  const { id, moved, count, to, reason, tracking, events } = decision
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
             tracking = coalesce(${tracking}::text::json, o.tracking),
             shipped_at = case when ${to} = 'shipped' then c.at + m.ms * interval '1 ms'
                               else o.shipped_at end,
             delivered_at = case when ${to} = 'delivered' then c.at + m.ms * interval '1 ms' end
        from clock c, ${moves}
       where o.tenant = ${tenantOf(call)} and o.id = m.id
    ), prescribed as (
      update prescriptions p set status = m.prescription_to,
             updated_at = c.at + m.ms * interval '1 ms'
        from clock c, ${moves}
       where p.tenant = ${tenantOf(call)} and p.id = m.prescription
         and m.prescription_to is not null
    ), changed as (
      select id, ${published(caseColumns)} as answer from cases
       where tenant = ${tenantOf(call)} and id = ${id} and exists (select from clock)
    ), ${emit(call, events)}`
}

export const shipCase = control('shipCase')
export const deliverCase = control('deliverCase')
export const blockCase = control('blockCase')
export const failCase = control('failCase')
