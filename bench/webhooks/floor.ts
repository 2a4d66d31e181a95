// The minimum PostgreSQL work for a delivery's rows: the delivery, its attempt and a moved cursor,
// in tables with the same columns and indexes. One plain statement writes 32 deliveries at a time.
// The tables have no policies or checks, and nothing is claimed, retried or shared between workers.
import { plainTables } from '../harness/plain.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { sql } from '#database/sql.ts'
import type { Endpoint } from './endpoints.ts'

/** The number of deliveries that the loop sends at the same time. */
const batch = 32

const row = (place: number, { tenant, id }: Endpoint) => ({
  tenant,
  id: `dlv_${String(place).padStart(26, '0')}`,
  event: `evt_${String(place).padStart(26, '0')}`,
  endpoint: id,
  url: 'https://127.0.0.1:40000/hooks/1',
  signature: `t=1780000000,v1=${'0'.repeat(64)}`,
  headers: 'x'.repeat(160),
  answer: 'x'.repeat(60),
})

const writing = (rows: readonly ReturnType<typeof row>[]) => sql`
  with r as materialized (
    select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
               as r (tenant bigint, id text, event text, endpoint text, url text, signature text,
                     headers text, answer text)
  ), cursor as (
    update plain.event_cursors set position = ${rows.at(-1)?.event ?? ''}
     where of_tenant = ${rows[0]?.tenant ?? ''}::bigint
  ), made as (
    insert into plain.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                  status, attempt, http_status, latency_ms, last_attempt_at,
                                  created_at)
    select tenant, id, event, tenant, 'patient.created.v1', endpoint, 'delivered', 1, 200, 1, now(),
           now() from r
  )
  insert into plain.delivery_attempts (tenant, delivery, attempt, url, address, signature,
                                       http_status, resolve_ms, latency_ms, response_headers,
                                       response_body, ended_at)
  select tenant, id, 1, url, '127.0.0.1', signature, 200, 0, 1, headers, answer, now() from r`

/** Returns a function that writes this many deliveries. */
export async function openFloor(environment: BenchEnvironment, endpoints: readonly Endpoint[]) {
  await environment.owner.use(async connection => {
    await connection.run(
      plainTables(sql`'test.event_cursors', 'test.deliveries', 'test.delivery_attempts'`),
    )
    await connection.run(sql`insert into plain.event_cursors select * from test.event_cursors`)
  })
  let place = 0
  const next = () => {
    const endpoint = endpoints[++place % endpoints.length]
    if (!endpoint) throw new Error('There must be an endpoint.')
    return row(place, endpoint)
  }
  return (count: number): Promise<void> =>
    environment.owner.use(async connection => {
      for (let left = count; left > 0; left -= batch)
        await connection.run(writing(Array.from({ length: Math.min(batch, left) }, next)))
    })
}
