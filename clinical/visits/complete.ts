// Completes a visit. The same statement inserts its charge, and a unique index allows one charge of
// each kind per visit, so a visit is never billed twice.

import { sql, type Statement } from '#database/sql.ts'
import { clock, idAt, momentAt } from '../pipeline/clock.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { type AnyCall, type IdParts, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { allow, heldVisit, visitColumns, visitFacts, type VisitFacts } from './visit.ts'

/** Null if visits are free for this integration, so no charge is created. */
type Price = { amount: number; currency: string } | null

export type CompletionFacts = VisitFacts & { price: Price }

export const completionFacts = (call: AnyCall, id: string): Statement => sql`
  select v.*, price_of('video_visit') as price from (${visitFacts(call, id)}) v`

export type CompletionPlan = {
  current: VisitFacts
  charge: IdParts
  price: Price
  events: Emitted<'visit.completed.v1' | 'charge.created.v1'>[]
}

/** The charge keeps the current price, whatever the price list says later. */
export function endVisit(call: AnyCall, found: CompletionFacts | null): CompletionPlan {
  const current = allow(found, 'complete')
  const charge = call.mint('charge', 2)
  const price = found?.price ?? null
  return {
    current,
    charge,
    price,
    events: [
      event(1, 'visit.completed.v1', current.id, current.status, 'completed'),
      ...(price === null ? [] : [event(3, 'charge.created.v1', charge, null, 'pending')]),
    ],
  }
}

export const writeCompletion = (
  call: AnyCall,
  { current, charge, price, events }: CompletionPlan,
): Statement => sql`
  ${heldVisit(call, current)}, ${clock(call, 4, sql`held`)},
  changed as (
    update visits set status = 'completed', ended_at = c.at, updated_at = c.at from clock c
     where tenant = ${tenantOf(call)} and id = ${current.id}
    returning id, ${published(visitColumns)} as answer
  ), charged as (
    insert into charges (tenant, id, kind, resource_type, resource_id, amount, currency,
                         created_at)
    select ${tenantOf(call)}, ${idAt(charge)}, 'video_visit', 'visit', ${current.id},
           p.amount, p.currency, ${momentAt(charge.at)}
      from clock c, json_to_record(${JSON.stringify(price ?? {})}::text::json) as p (amount bigint, currency text)
     where p.amount is not null
  ), ${emitAny(call, events)}`
