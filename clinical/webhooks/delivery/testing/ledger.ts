// The books of the tests of faults: every event that was committed, every endpoint that listened
// to it, and every request that a receiver had. An event and an endpoint have exactly one of: a row
// in the outbox, a delivery that is due, one that was delivered, one that failed. What is delivered
// was received, and what was received is on record.

import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Accounts = {
  events: number
  outbox: number
  pending: number
  delivered: number
  failed: number
  /** Requests that receivers had. */
  receipts: number
  /** Those beyond the first of a delivery's recorded attempts: a worker died after it had sent. */
  unrecorded: number
  /** What does not hold, in words; empty when all is well. */
  wrong: string[]
}

type Counts = Omit<Accounts, 'receipts' | 'unrecorded' | 'wrong'>
type Delivery = { id: string; status: string; attempt: number; why: string | null }

/** `received` are the ids of deliveries as requests named them, each as often as it came. */
export const accountsOf = (owner: ConnectionPool, received: readonly string[]): Promise<Accounts> =>
  owner.use(async connection => {
    const [counts] = await connection.run<Counts>(sql`
      select (select count(*)::int from test.events) as events,
             (select count(*)::int from test.outbox) as outbox,
             count(*) filter (where status = 'pending')::int as pending,
             count(*) filter (where status = 'delivered')::int as delivered,
             count(*) filter (where status = 'failed')::int as failed
        from test.deliveries`)
    const astray = await connection.run<{ why: string }>(sql`
      with pairs as (
        select e.id as event, w.tenant as own, w.id as endpoint from test.events e
          join test.tenants s on s.id = e.tenant and s.retired_at is null
          join test.tenants own on own.integration = s.integration
           and own.organization is null and own.retired_at is null
          join test.webhook_endpoints w on w.tenant = own.id and w.status = 'enabled'
           and w.listens_from <= e.created_at
           and (e.type = any (w.event_types) or '*' = any (w.event_types))
      ), counted as (
        select p.*, (select count(*) from test.outbox o where o.event = p.event)
                 + (select count(*) from test.deliveries d where d.tenant = p.own
                       and d.webhook_endpoint = p.endpoint and d.event = p.event
                       and not d.redelivery) as rows
          from pairs p
      )
      select event || ' at ' || endpoint || ' has ' || rows || ' rows' as why from counted
       where rows <> 1
      union all
      select delivery || ' is due, and is no pending delivery' from test.due_deliveries q
       where not exists (select from test.deliveries d where d.tenant = q.tenant
                            and d.id = q.delivery and d.status = 'pending')`)
    const deliveries = await connection.run<Delivery>(sql`
      select d.id, d.status, d.attempt, case
               when d.status = 'pending' and q.delivery is null then 'is pending, and never due'
               when d.status = 'delivered' and d.http_status not between 200 and 299
                 then 'was delivered with ' || d.http_status end as why
        from test.deliveries d
        left join test.due_deliveries q on q.tenant = d.tenant and q.delivery = d.id`)
    const came = Map.groupBy(received, id => id)
    const countOf = (id: string) => came.get(id)?.length ?? 0
    const wrong = astray.map(({ why }) => why)
    for (const { id, status, attempt, why } of deliveries) {
      if (why !== null) wrong.push(`${id} ${why}`)
      if (status === 'delivered' && countOf(id) === 0) wrong.push(`${id} came to nobody`)
      if (status === 'delivered' && attempt === 0) wrong.push(`${id} has no attempt`)
    }
    const known = new Map(deliveries.map(({ id, attempt }) => [id, attempt]))
    for (const id of came.keys()) if (!known.has(id)) wrong.push(`${id} came, and is not on record`)
    const extra = [...known].map(([id, attempt]) => Math.max(0, countOf(id) - attempt))
    return {
      ...(counts ?? { events: 0, outbox: 0, pending: 0, delivered: 0, failed: 0 }),
      receipts: received.length,
      unrecorded: extra.reduce((sum, one) => sum + one, 0),
      wrong,
    }
  })

/** The deliveries that requests were for. */
export const deliveriesIn = (
  received: readonly { headers: Readonly<Record<string, string>> }[],
): string[] => received.map(({ headers }) => headers['service-delivery-id'] ?? 'nothing')
