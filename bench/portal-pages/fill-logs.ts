// One integration's request log and deliveries after thirty days of use. Ids and timestamps look
// like the platform's own.
import { SQL } from 'bun'
import { countHours } from '#clinical/deliveries/count-hours.ts'
import { operationIds, table } from '#contract/api.ts'
import { openPool } from '#database/pool.ts'
import type { BenchEnvironment, Tenant } from '../harness/environment.ts'

const days = 30
const batch = 200_000

/** One request in a hundred is refused, and one in a thousand fails. */
const requests = `
  insert into test.requests (tenant, id, organization, credential, surface, operation, method, path,
                             status, code, replayed, duration_ms, created_at, shape, events)
  select $1::bigint, public.ulid('req', x.at, lpad(i::text, 16, '0')), $2, $3, 'rest', o.operation,
         o.method, o.path,
         case when i % 1000 = 0 then 500 when i % 100 = 0 then 404 else 200 end,
         case when i % 1000 = 0 then 'internal_error' when i % 100 = 0 then 'not_found' end,
         false, 5, x.at, null, null
    from generate_series($4::bigint, $5::bigint) i
   cross join lateral (
     select now() - interval '${days} days' + interval '1 hour'
            + i * (interval '${days} days' - interval '1 hour') / $6::float8 as at) x
    join json_to_recordset($7::text::json) as o (n int, operation text, method text, path text)
      on o.n = i % $8::int`

/** One delivery in a hundred failed. The last hour's deliveries are due. */
const deliveries = `
  insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint, status,
                               attempt, http_status, latency_ms, last_attempt_at, created_at)
  select w.tenant, public.ulid('dlv', x.at, lpad(i::text, 16, '0')),
         public.ulid('evt', x.at, lpad(i::text, 16, '0')), w.tenant,
         case when i % 2 = 0 then 'patient.created.v1' else 'case.approved.v1' end, w.id,
         case when i % 100 = 0 then 'failed' else 'delivered' end, 1,
         case when i % 100 = 0 then 500 else 200 end, 12, x.at, x.at
    from generate_series($1::bigint, $2::bigint) i
   cross join lateral (
     select now() - interval '${days} days' + interval '1 hour'
            + i * (interval '${days} days' - interval '1 hour') / $3::float8 as at) x
    join (select tenant, id, row_number() over (order by id) - 1 as n, count(*) over () as total
            from test.webhook_endpoints) w on w.n = i % w.total`

export async function fillLogs(
  { url, urls }: BenchEnvironment,
  { integration, organization, credential }: Tenant,
  rows: { requests: number; deliveries: number },
): Promise<void> {
  const connection = new SQL(url, { max: 1 })
  const [own] = await connection`
    select id::text as tenant from test.tenants
     where integration = ${integration} and organization is null`
  const routes = operationIds.map((operation, n) => {
    const { method, path } = table[operation]
    return { n, operation, method, path }
  })
  await connection.unsafe(`
    select test.create_request_partition((now() at time zone 'utc')::date - n)
      from generate_series(0, ${days}) n`)
  const caller = [own.tenant, organization, credential]
  for (const [from, to] of spans(rows.requests)) {
    const values = [from, to, rows.requests, JSON.stringify(routes), routes.length]
    await connection.unsafe(requests, [...caller, ...values])
  }
  for (const [from, to] of spans(rows.deliveries))
    await connection.unsafe(deliveries, [from, to, rows.deliveries])
  await connection.unsafe('vacuum analyze test.requests, test.deliveries, test.request_counts')
  const worker = openPool({ url: urls.worker_test, size: 1, name: 'bench', path: 'test, public' })
  await worker.use(one => countHours(one, 8 * 24))
  await worker.close()
  await connection.unsafe('vacuum analyze test.delivery_counts')
  await connection.close()
}

/** Written in batches, because one statement would be a transaction of several gigabytes. */
const spans = (rows: number) =>
  Array.from({ length: Math.ceil(rows / batch) }, (_, at): [from: number, to: number] => [
    at * batch + 1,
    Math.min(rows, (at + 1) * batch),
  ])
