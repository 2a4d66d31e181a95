// A delivery as the API returns it. The receiver's response is stored encrypted, and decrypted for
// our own response.

import { sql } from '#database/sql.ts'

export const deliveryColumns = sql`
  id, event, event_type, webhook_endpoint, status, attempt, http_status, latency_ms,
  (select a.response_body from delivery_attempts a
    where a.tenant = deliveries.tenant and a.delivery = deliveries.id
      and a.attempt = deliveries.attempt) as response_body,
  error, iso(next_attempt_at) as next_attempt_at, iso(last_attempt_at) as last_attempt_at,
  iso(created_at) as created_at`
