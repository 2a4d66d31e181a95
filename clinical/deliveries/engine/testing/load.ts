// Creates many integrations' endpoints and events, to load-test one worker. Writes the rows that
// API calls would write, but faster.

import { openIntegration } from '#auth/integrations.ts'
import { limits } from '#contract/limits.ts'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'
import { secretPurpose } from '../../../pipeline/encrypted-members.ts'
import { queryAsOwner } from '../../../testing/assertions.ts'
import { newSecret } from '../../../webhooks/secret.ts'

export async function openLoadFixture(fixtures: Fixtures, count: number, url: string) {
  const encryption = createEncryption([fixtures.context.pepper])
  const integrations: string[] = []
  const rows: { integration: string; place: number; secret: string }[] = []
  for (let at = 0; at < count; at++) {
    const place = (at % limits.webhookEndpointsMax) + 1
    if (place === 1) {
      const opened = await fixtures.owner.use(connection =>
        openIntegration(connection, `brand ${at}`),
      )
      integrations.push(opened.integration)
    }
    const integration = integrations.at(-1) ?? ''
    const purpose = secretPurpose({ mode: 'test', integration })
    rows.push({ integration, place, secret: encryption.encrypt(purpose, newSecret(randomBytes)) })
  }
  await queryAsOwner(
    fixtures,
    sql`with made as (
          insert into test.webhook_endpoints (tenant, id, place, url, event_types, include_resource,
                                              secret, created_at, updated_at)
          select own.id, public.ulid('we', now() + r.place * interval '1 ms', public.ulid_random()),
                 r.place, ${url}, '{*}', false, r.secret, now(), now()
            from json_to_recordset(${JSON.stringify(rows)}::text::json)
                   as r (integration text, place int, secret text)
            join test.tenants own on own.integration = r.integration and own.organization is null
          returning tenant, id
        )
        insert into test.endpoint_queues (tenant, webhook_endpoint) select tenant, id from made`,
  )
  return {
    /** Writes this many events per integration, for all its endpoints. */
    emit: (events: number) =>
      queryAsOwner(
        fixtures,
        sql`with s as (
              update test.tenants set last = clock_timestamp() + ${events}::int * interval '1 ms'
               where integration = any (${integrations}::text[]) and organization is not null
              returning id, last
            ), e as (
              insert into test.events (tenant, id, type, resource_type, resource_id, status,
                                       created_at)
              select s.id, ulid('evt', s.last - n * interval '1 ms', public.ulid_random()),
                     'order.shipped.v1', 'order', 'ord_' || n, 'shipped',
                     s.last - n * interval '1 ms'
                from s, generate_series(0, ${events - 1}::int) n
              returning 1
            )
            select count(*) from e`,
      ),
  }
}

/** Adds a backlog: copies of an endpoint's first delivery, all due now. */
export async function addBacklog(
  fixtures: Fixtures,
  endpoint: string,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= batch) {
    await addBatch(fixtures, endpoint, Math.min(left, batch))
  }
}

/** Small enough for the five-second statement timeout. */
const batch = 5000

async function addBatch(fixtures: Fixtures, endpoint: string, count: number): Promise<void> {
  const rows = await queryAsOwner(
    fixtures,
    sql`with one as (
          select * from test.all_deliveries where webhook_endpoint = ${endpoint} order by id limit 1
        ), more as (
          insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                       redelivery, next_attempt_at, created_at)
          select tenant, ulid('dlv', clock_timestamp(), public.ulid_random()), event,
                 event_tenant, event_type, webhook_endpoint, true, now(), created_at
            from one, generate_series(1, ${count}::int) n
          returning tenant, id, webhook_endpoint, next_attempt_at
        ), due as (
          insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at)
          select tenant, id, webhook_endpoint, next_attempt_at from more
        ), queue as (
          update test.endpoint_queues set next_due = now() where webhook_endpoint = ${endpoint}
        )
        select from one`,
  )
  if (rows.length === 0) throw new Error('the endpoint has no delivery to copy')
}
