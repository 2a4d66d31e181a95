// A house with endpoints, and perhaps with a history: what the bench of webhooks sends from. Rows
// are written as the calls would have written them; only faster.
import { openDoorbell } from '#clinical/doorbell.ts'
import { secretPurpose } from '#clinical/sealed.ts'
import { newSecret } from '#clinical/webhooks/secret.ts'
import { limits } from '#contract/limits.ts'
import { openLanes } from '#database/lanes.ts'
import { openSeal } from '#database/seal.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/time-and-chance.ts'
import { fillEvents } from './fill-events.ts'
import { epoch } from './hooks-clock.ts'
import type { House, Tenant } from './house.ts'

export type Endpoint = { id: string; stream: string; secret: string }
export type Counts = { outbox: number; due: number; delivered: number; attempts: number }

export type HookHouse = Awaited<ReturnType<typeof openHooks>>

const writers = 16

/** Each endpoint is sent to `url` with its place behind it. */
export async function openHooks(house: House, url: string, count: number, history: number) {
  const { webhookEndpointsMax: each } = limits
  const tenants = await house.openTenants(Math.ceil(count / each))
  const lanes = openLanes({ url: house.url, size: writers, name: 'hooks', path: 'test, public' })
  const bell = openDoorbell('test', house.urls.test)
  const endpoints: Endpoint[] = []
  for (const tenant of tenants) {
    const places = Math.min(each, count - endpoints.length)
    endpoints.push(...(await register(house, tenant, url, places)))
  }
  const [first] = tenants
  if (first && history > 0) await fillHistory(house, first, history)
  const before = await counts(house)
  let at = 0
  return {
    endpoints,
    /** One event for one endpoint, the next in turn. Answers its id, and when it was committed. */
    async emit(): Promise<{ id: string; at: number }> {
      const to = endpoints[at++ % endpoints.length]
      const [row] = await lanes.use(lane => lane.run<{ id: string }>(emitting(to)))
      const moment = epoch()
      bell.ring()
      return { id: row?.id ?? '', at: moment }
    },
    /** So many events at once, spread over the endpoints, and nobody is rung. */
    pile: (events: number) => lanes.use(lane => lane.run(piling(events))),
    ring: () => bell.ring(),
    /** Whether everything is sent and recorded. */
    async isDone(): Promise<boolean> {
      const [row] = await house.owner.use(lane =>
        lane.run<{ open: boolean }>(sql`
          select exists (select from test.outbox) or exists (select from test.due_deliveries)
                 as open`),
      )
      return row?.open === false
    },
    async made(): Promise<Counts> {
      const now = await counts(house)
      return {
        outbox: now.outbox,
        due: now.due,
        delivered: now.delivered - before.delivered,
        attempts: now.attempts - before.attempts,
      }
    },
    async close() {
      await bell.close()
      await lanes.close()
    },
  }
}

async function register(house: House, tenant: Tenant, url: string, places: number) {
  const purpose = secretPurpose({ mode: 'test', integration: tenant.integration })
  const seal = openSeal([house.pepper])
  const rows = Array.from({ length: places }, (_, at) => {
    const secret = newSecret(randomBytes)
    return { place: at + 1, secret, sealed: seal.seal(purpose, secret) }
  })
  const made = await house.owner.use(lane =>
    lane.run<{ id: string; place: number }>(sql`
      with own as (
        select id from test.streams
         where integration = ${tenant.integration} and organization is null
      ), made as (
        insert into test.webhook_endpoints (stream, id, place, url, event_types, include_resource,
                                            secret, created_at, updated_at)
        select own.id, public.ulid('we', now() + r.place * interval '1 ms', test.random_half()),
               r.place, ${url} || r.place, '{*}', false, r.sealed, now(), now()
          from own, json_to_recordset(${JSON.stringify(rows)}::text::json)
                      as r (place int, sealed text)
        returning stream, id, place
      ), laned as (
        insert into test.delivery_lanes (stream, webhook_endpoint) select stream, id from made
      )
      select id, place from made order by place`),
  )
  return made.map(({ id, place }): Endpoint => ({
    id,
    stream: tenant.stream,
    secret: rows[place - 1]?.secret ?? '',
  }))
}

const emitting = (to: Endpoint | undefined) => sql`
  with clock as (select tick(${to?.stream ?? ''}::bigint, 1) as at),
  emitted as (
    insert into events (stream, id, type, resource_type, resource_id, status, created_at)
    select ${to?.stream ?? ''}::bigint, ulid('evt', at, random_half()), 'patient.created.v1',
           'patient', ulid('pat', at, random_half()), 'created', at from clock
    returning stream, id
  ), queued as (
    insert into outbox (stream, event, webhook_endpoint)
    select stream, id, ${to?.id ?? ''} from emitted
  )
  select id from emitted`

const piling = (events: number) => sql`
  with listening as (
    select s.id as stream, w.id, row_number() over () - 1 as n, count(*) over () as total
      from webhook_endpoints w join streams own on own.id = w.stream
      join streams s on s.integration = own.integration and s.organization is not null
  ), emitted as (
    insert into events (stream, id, type, resource_type, resource_id, status, created_at)
    select l.stream, ulid('evt', now() + i * interval '1 ms', random_half()), 'patient.created.v1',
           'patient', l.id, 'created', now() + i * interval '1 ms'
      from generate_series(1, ${events}::int) i join listening l on l.n = i % l.total
    returning stream, id, resource_id
  )
  insert into outbox (stream, event, webhook_endpoint) select stream, id, resource_id from emitted`

/** Deliveries that were made, one for each event of a long log. */
async function fillHistory(house: House, tenant: Tenant, rows: number): Promise<void> {
  await fillEvents(house, tenant.stream, rows)
  for (let from = 0; from < rows; from += 50_000) {
    await house.owner.use(lane =>
      lane.run(sql`
        insert into test.deliveries (stream, id, event, event_stream, event_type, webhook_endpoint,
                                     status, attempt, http_status, latency_ms, last_attempt_at,
                                     created_at)
        select w.stream, public.ulid('dlv', e.created_at, substr(md5(e.id), 1, 16)), e.id, e.stream,
               e.type, w.id, 'delivered', 1, 200, 12, e.created_at, e.created_at
          from (select * from test.events where stream = ${tenant.stream}::bigint
                 order by id limit 50000 offset ${from}::int) e,
               (select w.stream, w.id from test.webhook_endpoints w
                  join test.streams own on own.id = w.stream
                 where own.integration = ${tenant.integration} order by w.id limit 1) w`),
    )
  }
  await house.owner.use(lane => lane.run(sql`analyze test.deliveries`))
}

async function counts(house: House): Promise<Counts> {
  const [row] = await house.owner.use(lane =>
    lane.run<Counts>(sql`
      select (select count(*)::int from test.outbox) as outbox,
             (select count(*)::int from test.due_deliveries) as due,
             (select count(*)::int from test.deliveries where status = 'delivered') as delivered,
             (select coalesce(sum(attempt), 0)::int from test.deliveries) as attempts`),
  )
  if (!row) throw new Error('A count has a row.')
  return row
}
