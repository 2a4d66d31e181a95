// In fault tests, compares every committed event with the subscribed endpoints and the requests
// that reached receivers. For each event and endpoint there must be exactly one of: a position
// after the tenant's cursor, a due delivery, a delivered delivery, a failed delivery. Everything
// recorded as delivered must have been received, and everything received must have a delivery.

import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Ledger = {
  events: number
  unread: number
  pending: number
  delivered: number
  failed: number
  /** Requests that reached receivers. */
  receipts: number
  /** Requests without a recorded attempt: a worker crashed between sending and recording. */
  unrecorded: number
  /** One sentence for each violation; empty if there's none. */
  wrong: string[]
}

type Counts = Omit<Ledger, 'receipts' | 'unrecorded' | 'wrong'>
type Delivery = { id: string; status: string; attempt: number; why: string | null }

/** Builds the ledger; `received` lists the delivery IDs of all requests, including repeats. */
export const ledgerOf = (owner: ConnectionPool, received: readonly string[]): Promise<Ledger> =>
  owner.use(async connection => {
    const [counts] = await connection.run<Counts>(sql`
      select (select count(*)::int from test.events) as events,
             (select count(*)::int from test.unread_since(array(select test.tenants_to_read()))) as unread,
             count(*) filter (where status = 'pending')::int as pending,
             count(*) filter (where status = 'delivered')::int as delivered,
             count(*) filter (where status = 'failed')::int as failed
        from test.all_deliveries`)
    const violations = await connection.run<{ why: string }>(sql`
      with pairs as (
        select e.id as event, e.tenant as event_tenant, w.tenant as own, w.id as endpoint from test.events e
          join test.tenants s on s.id = e.tenant and s.retired_at is null
          join test.tenants own on own.integration = s.integration
           and own.organization is null and own.retired_at is null
          join test.webhook_endpoints w on w.tenant = own.id and w.status = 'enabled'
           and w.listens_from <= e.written_at
           and (e.type = any (w.event_types) or '*' = any (w.event_types))
      ), counted as (
        select p.*, (select count(*) from test.event_cursors c
                     where c.of_tenant = p.event_tenant and c.position < p.event)
                 + (select count(*) from test.all_deliveries d where d.tenant = p.own
                       and d.webhook_endpoint = p.endpoint and d.event = p.event
                       and not d.redelivery) as rows
          from pairs p
      )
      select event || ' at ' || endpoint || ' has ' || rows || ' rows' as why from counted
       where rows <> 1
      union all
      select delivery || ' is due, and is no pending delivery' from test.due_deliveries q
       where not exists (select from test.all_deliveries d where d.tenant = q.tenant
                            and d.id = q.delivery and d.status = 'pending')`)
    const deliveries = await connection.run<Delivery>(sql`
      select d.id, d.status, d.attempt, case
               when d.status = 'pending' and q.delivery is null then 'is pending, and never due'
               when d.status = 'delivered' and d.http_status not between 200 and 299
                 then 'was delivered with ' || d.http_status end as why
        from test.all_deliveries d
        left join test.due_deliveries q on q.tenant = d.tenant and q.delivery = d.id`)
    const requestsById = Map.groupBy(received, id => id)
    const countOf = (id: string) => requestsById.get(id)?.length ?? 0
    const wrong = violations.map(({ why }) => why)
    for (const { id, status, attempt, why } of deliveries) {
      if (why !== null) wrong.push(`${id} ${why}`)
      if (status === 'delivered' && countOf(id) === 0)
        wrong.push(`${id} was delivered, but not received`)
      if (status === 'delivered' && attempt === 0) wrong.push(`${id} has no attempt`)
    }
    const attemptsById = new Map(deliveries.map(({ id, attempt }) => [id, attempt]))
    for (const id of requestsById.keys())
      if (!attemptsById.has(id)) wrong.push(`${id} was received, but has no delivery`)
    const extra = [...attemptsById].map(([id, attempt]) => Math.max(0, countOf(id) - attempt))
    return {
      ...(counts ?? { events: 0, unread: 0, pending: 0, delivered: 0, failed: 0 }),
      receipts: received.length,
      unrecorded: extra.reduce((sum, one) => sum + one, 0),
      wrong,
    }
  })

/** Returns the requests' delivery IDs. */
export const deliveriesIn = (
  received: readonly { headers: Readonly<Record<string, string>> }[],
): string[] => received.map(({ headers }) => headers['service-delivery-id'] ?? 'nothing')
