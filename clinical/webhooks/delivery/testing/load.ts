// Many endpoints of many integrations, and many events for them: rows as the calls would have
// written them, only faster. For tests of what one worker does for all of them.

import { openIntegration } from '#auth/integrations.ts'
import { limits } from '#contract/limits.ts'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'
import { secretPurpose } from '../../../pipeline/encrypted-members.ts'
import { queryAsOwner } from '../../../testing/assertions.ts'
import { newSecret } from '../../secret.ts'

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
          insert into test.webhook_endpoints (stream, id, place, url, event_types, include_resource,
                                              secret, created_at, updated_at)
          select own.id, public.ulid('we', now() + r.place * interval '1 ms', test.random_half()),
                 r.place, ${url}, '{*}', false, r.secret, now(), now()
            from json_to_recordset(${JSON.stringify(rows)}::text::json)
                   as r (integration text, place int, secret text)
            join test.streams own on own.integration = r.integration and own.organization is null
          returning stream, id
        )
        insert into test.delivery_lanes (stream, webhook_endpoint) select stream, id from made`,
  )
  return {
    /** So many events of each integration, for all of its endpoints. */
    emit: (events: number) =>
      queryAsOwner(
        fixtures,
        sql`with s as (
              update test.streams set last = clock_timestamp() + ${events}::int * interval '1 ms'
               where integration = any (${integrations}::text[]) and organization is not null
              returning id, last
            ), e as (
              insert into test.events (stream, id, type, resource_type, resource_id, status,
                                       created_at)
              select s.id, ulid('evt', s.last - n * interval '1 ms', test.random_half()),
                     'order.shipped.v1', 'order', 'ord_' || n, 'shipped',
                     s.last - n * interval '1 ms'
                from s, generate_series(0, ${events - 1}::int) n
              returning stream, id
            )
            insert into test.outbox (stream, event) select stream, id from e order by id`,
      ),
  }
}

/** So many more deliveries of an endpoint’s first one, due at once: a backlog. */
export async function pile(fixtures: Fixtures, endpoint: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= batch) {
    await pileUp(fixtures, endpoint, Math.min(left, batch))
  }
}

/** A statement may last five seconds. */
const batch = 5000

const pileUp = (fixtures: Fixtures, endpoint: string, count: number) =>
  queryAsOwner(
    fixtures,
    sql`with one as (
          select * from test.deliveries where webhook_endpoint = ${endpoint} order by id limit 1
        ), more as (
          insert into test.deliveries (stream, id, event, event_stream, event_type, webhook_endpoint,
                                       redelivery, next_attempt_at, created_at)
          select stream, ulid('dlv', clock_timestamp(), test.random_half()), event,
                 event_stream, event_type, webhook_endpoint, true, now(), created_at
            from one, generate_series(1, ${count}::int) n
          returning stream, id, webhook_endpoint, next_attempt_at
        ), due as (
          insert into test.due_deliveries (stream, delivery, webhook_endpoint, due_at)
          select stream, id, webhook_endpoint, next_attempt_at from more
        )
        update test.delivery_lanes set next_due = now() where webhook_endpoint = ${endpoint}`,
  )
