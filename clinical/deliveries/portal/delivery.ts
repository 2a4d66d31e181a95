// One delivery with each of its attempts, and freshly signed headers, so a developer can send the
// same request to their own machine. The secret never leaves the server.

import { sql } from '#database/sql.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Principal } from '#auth/principal.ts'
import { eventColumnsOf } from '../../events/event.ts'
import { answerPurpose, secretPurpose } from '../../pipeline/encrypted-members.ts'
import { published } from '../../pipeline/publish.ts'
import { read } from '../../portal/handler.ts'
import { deliveryHeaders, signature } from '../engine/sign.ts'
import { integrationTenant } from '../../webhooks/endpoint.ts'
import { deliverySummary } from './deliveries.ts'

const attemptColumns = sql`
  attempt, url, address, signature, http_status, error, resolve_ms, latency_ms, response_headers,
  response_body, iso(ended_at) as ended_at`

/** An attempt as selected, with its encrypted values. */
type StoredAttempt = { response_headers: string | null; response_body: string | null }
type StoredDelivery = {
  id: string
  event: string
  event_type: string
  body: string | null
  secret: string | null
  replay: string | null
  attempts: StoredAttempt[]
}

export const getDelivery = read('getDelivery', ({ principal, realNow }, { id }, { webhooks }) => ({
  rows: sql`
    select id, ${published(sql`
             ${deliverySummary}, organization, include_resource, endpoint_status, body, secret,
             replay, attempts`)} as item
      from (
        select d.*, s.organization, w.include_resource, w.status as endpoint_status,
               case when w.kind = 'https' then w.secret end as secret,
               (select ${published(eventColumnsOf(sql`s.organization`, principal.mode))} from (
                  select * from events where tenant = d.event_tenant and id = d.event offset 0
                ) events) as body,
               (select coalesce(json_agg(row_to_json(r) order by attempt), '[]')
                  from (select ${attemptColumns} from delivery_attempts
                         where tenant = d.tenant and delivery = d.id) r) as attempts
          from all_deliveries d
          join tenants s on s.id = d.event_tenant
          left join webhook_endpoints w on w.tenant = d.tenant and w.id = d.webhook_endpoint
         where d.tenant = ${integrationTenant} and d.id = ${id}) deliveries`,
  answer: item => {
    const { secret, replay, attempts, ...stored } = JSON.parse(item) as StoredDelivery
    return JSON.stringify({
      ...stored,
      headers: headersNow(webhooks.encryption, principal, realNow, { ...stored, secret, replay }),
      attempts: attempts.map(one => opened(webhooks.encryption, principal, one)),
    })
  },
}))

/** Returns null if the endpoint or the event is gone, and for a destination, because its requests
 *  can't be repeated. */
function headersNow(
  encryption: Encryption,
  principal: Principal,
  now: number,
  { body, secret: encrypted, ...about }: Omit<StoredDelivery, 'attempts'>,
) {
  if (encrypted === null || body === null) return null
  const secret = encryption.open(secretPurpose(principal), encrypted)
  if (secret === null) return null
  const signed = signature([secret], Math.floor(now / 1000), body)
  return deliveryHeaders({ ...about, signature: signed })
}

/** Decrypts an attempt's response; values that no remaining key decrypts become null. */
function opened(encryption: Encryption, principal: Principal, attempt: StoredAttempt) {
  const open = (text: string | null) =>
    text === null ? null : encryption.open(answerPurpose(principal), text)
  const headers = open(attempt.response_headers)
  return {
    ...attempt,
    response_headers: headers === null ? null : (JSON.parse(headers) as unknown),
    response_body: open(attempt.response_body),
  }
}
