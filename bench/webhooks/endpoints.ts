// Endpoints for the webhook benchmark, with or without a delivery history. Writes the same rows as
// the API would, but faster.
import { SQL } from 'bun'
import { openIntegration } from '#auth/integrations.ts'
import { openWakeUp } from '#clinical/jobs/wake-up.ts'
import { secretPurpose } from '#clinical/pipeline/encrypted-members.ts'
import { newSecret } from '#clinical/webhooks/secret.ts'
import { limits } from '#contract/limits.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { createEncryption, type Encryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import { epoch } from '../harness/clock.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

export type Endpoint = { id: string; tenant: string; secret: string }
export type Counts = { unread: number; due: number; delivered: number; attempts: number }

export type WebhookEnvironment = Awaited<ReturnType<typeof openEndpoints>>

const writers = 16
/** Later than any history, and earlier than any benchmark. */
const recent = '1 day'

/** Each endpoint's URL is `url` followed by its index. */
export async function openEndpoints(
  environment: BenchEnvironment,
  url: string,
  count: number,
  history: number,
) {
  const { webhookEndpointsMax: each } = limits
  const connectionPool = openPool({
    url: environment.url,
    size: writers,
    name: 'hooks',
    path: 'test, public',
    waitSeconds: 60,
  })
  const wakeUp = openWakeUp('test', environment.urls.test)
  const encryption = createEncryption([environment.pepper])
  const groups = Array.from({ length: Math.ceil(count / each) }, (_, group) =>
    connectionPool.use(connection =>
      openIntegrationEndpoints(connection, encryption, url, Math.min(each, count - group * each)),
    ),
  )
  const endpoints = (await Promise.all(groups)).flat()
  if (history > 0) await fillHistory(environment, endpoints, history)
  const before = await counts(environment)
  let at = 0
  return {
    endpoints,
    /** Writes one event for the next endpoint in turn. Returns its ID and commit time. */
    async emit(): Promise<{ id: string; at: number }> {
      const to = endpoints[at++ % endpoints.length]
      const [row] = await connectionPool.use(connection =>
        connection.run<{ id: string }>(emitStatement(to)),
      )
      const moment = epoch()
      wakeUp.notify(to?.tenant ?? '')
      return { id: row?.id ?? '', at: moment }
    },
    /** Writes this many events in one statement, spread over the endpoints, without a wake-up. */
    addBacklog(events: number) {
      const to = Array.from({ length: events }, () => endpoints[at++ % endpoints.length])
      return connectionPool.use(connection => connection.run(backlogStatement(to)))
    },
    notify: () => {
      for (const tenant of new Set(endpoints.map(one => one.tenant))) wakeUp.notify(tenant)
    },
    /** Whether everything was sent and recorded. */
    isDone: () => isDone(environment),
    async counted(): Promise<Counts> {
      const now = await counts(environment)
      return {
        unread: now.unread,
        due: now.due,
        delivered: now.delivered - before.delivered,
        attempts: now.attempts - before.attempts,
      }
    },
    async close() {
      await wakeUp.close()
      await connectionPool.close()
    },
  }
}

async function isDone(environment: BenchEnvironment): Promise<boolean> {
  const [row] = await environment.owner.use(connection =>
    connection.run<{ open: boolean }>(sql`
      select exists (select test.tenants_to_read()) or exists (select from test.due_deliveries)
             as open`),
  )
  return row?.open === false
}

async function openIntegrationEndpoints(
  connection: Connection,
  encryption: Encryption,
  url: string,
  places: number,
) {
  const { integration } = await openIntegration(connection, 'bench')
  const purpose = secretPurpose({ mode: 'test', integration })
  const rows = Array.from({ length: places }, (_, at) => {
    const secret = newSecret(randomBytes)
    return { place: at + 1, secret, encrypted: encryption.encrypt(purpose, secret) }
  })
  const made = await connection.run<{ id: string; place: number; tenant: string }>(sql`
    with made as (
      insert into webhook_endpoints (tenant, id, place, url, event_types, include_resource,
                                     secret, created_at, updated_at)
      select own.id, ulid('we', now() + r.place * interval '1 ms', ulid_random()), r.place,
             ${url} || r.place, '{*}', false, r.encrypted, now(), now()
        from tenants own, json_to_recordset(${JSON.stringify(rows)}::text::json)
                            as r (place int, encrypted text)
       where own.integration = ${integration} and own.organization is null
      returning tenant, id, place
    ), queues as (
      -- Not slow, as after a first response.
      insert into endpoint_queues (tenant, webhook_endpoint, slow)
      select tenant, id, false from made
    )
    select m.id, m.place, s.id::text as tenant from made m join tenants s
        on s.integration = ${integration} and s.organization is not null order by m.place`)
  return made.map(({ id, place, tenant }): Endpoint => ({
    id,
    tenant,
    secret: rows[place - 1]?.secret ?? '',
  }))
}

const emitStatement = (to: Endpoint | undefined) => sql`
  with clock as (select next_timestamp(${to?.tenant ?? ''}::bigint, 1) as at),
  emitted as (
    insert into events (tenant, id, type, resource_type, resource_id, status, created_at,
                        webhook_endpoint)
    select ${to?.tenant ?? ''}::bigint, ulid('evt', at, ulid_random()), 'patient.created.v1',
           'patient', ulid('pat', at, ulid_random()), 'created', at, ${to?.id ?? ''} from clock
    returning id
  )
  select id from emitted`

const backlogStatement = (to: readonly (Endpoint | undefined)[]) => sql`
  with listed as materialized (
    select (x ->> 'tenant')::bigint as tenant, x ->> 'id' as id,
           row_number() over (partition by x ->> 'tenant' order by n) - 1 as n
      from json_array_elements(${JSON.stringify(to.map(placeOf))}::text::json)
             with ordinality as x (x, n)
  ), clocks as materialized (
    select tenant, next_timestamp(tenant, count(*)::int) as at from listed group by tenant
  )
  insert into events (tenant, id, type, resource_type, resource_id, status, created_at,
                      webhook_endpoint)
  select l.tenant, ulid('evt', c.at + l.n * interval '1 ms', ulid_random()), 'patient.created.v1',
         'patient', l.id, 'created', c.at + l.n * interval '1 ms', l.id
    from listed l join clocks c on c.tenant = l.tenant`

const placeOf = (to: Endpoint | undefined) => ({ tenant: to?.tenant, id: to?.id })

/** Adds deliveries from earlier weeks, spread over the endpoints. Builds indexes after inserting
 *  the rows, which takes a quarter of the time. */
async function fillHistory(
  environment: BenchEnvironment,
  endpoints: readonly Endpoint[],
  rows: number,
) {
  const pool = new SQL(environment.url, { max: fillers })
  const ids = JSON.stringify(endpoints.map(({ id }) => id))
  const indexes: { name: string; text: string }[] = await pool`
    select x.indexrelid::regclass::text as name, pg_get_indexdef(x.indexrelid) as text
      from pg_index x where x.indrelid = 'test.deliveries'::regclass and not x.indisprimary`
  for (const { name } of indexes) await pool.unsafe(`drop index ${name}`)
  await pool.unsafe('alter table test.deliveries drop constraint deliveries_pkey')
  const each = Math.ceil(rows / fillers)
  const parts = Array.from({ length: fillers }, (_, at) => [at * each + 1, (at + 1) * each])
  await Promise.all(parts.map(([from = 0, to = 0]) => pool.unsafe(filling, [from, to, ids])))
  await pool.unsafe('alter table test.deliveries add primary key (tenant, id)')
  await Promise.all(indexes.map(({ text }) => pool.unsafe(text)))
  await pool.unsafe('vacuum analyze test.deliveries')
  await pool.close()
}

const fillers = 4
const filling = `
  insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                               status, attempt, http_status, latency_ms, last_attempt_at, created_at)
  select w.tenant, 'dlv_' || lpad(i::text, 26, '0'), 'evt_' || lpad(i::text, 26, '0'), w.tenant,
         'patient.created.v1', w.id, 'delivered', 1, 200, 12, x.at, x.at
    from generate_series($1::bigint, $2::bigint) i
   cross join lateral (select now() - interval '20 days' + i * interval '1 ms' as at) x
    join (select tenant, id, row_number() over (order by id) - 1 as n, count(*) over () as total
            from test.webhook_endpoints
           where id = any (select json_array_elements_text($3::text::json))) w
      on w.n = i % w.total`

async function counts(environment: BenchEnvironment): Promise<Counts> {
  const [row] = await environment.owner.use(connection =>
    connection.run<Counts>(sql`
      select (select count(*)::int from test.unread_since(array(select test.tenants_to_read()))) as unread,
             (select count(*)::int from test.due_deliveries) as due,
             count(*) filter (where status = 'delivered')::int as delivered,
             coalesce(sum(attempt), 0)::int as attempts
        from test.deliveries where created_at > now() - ${recent}::text::interval`),
  )
  if (!row) throw new Error('A count must return a row.')
  return row
}
