// Handles reports of leaked keys, from any caller. Every report gets the same response: neither its
// content nor its timing reveals anything about the key.

import { limits } from '#contract/limits.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { keysIn } from '../tokens.ts'
import type { OwnContext } from './context.ts'
import { readBody } from './form.ts'
import { type Limiters, takeOne } from './limiters.ts'
import type { OAuthRequest } from './request.ts'
import type { Secrets } from './secrets.ts'

type ReportParts = {
  readonly pool: ConnectionPool
  readonly secrets: Secrets
  readonly limiters: Limiters
}

/** A valid key is revoked immediately, and its integration's owners are emailed. */
export async function reportKey(
  { pool, secrets, limiters }: ReportParts,
  context: OwnContext,
  { call }: OAuthRequest,
): Promise<true> {
  await takeOne(limiters.reports, networkOf(call.address), 'reports from your network')
  const text = await readBody(context.req, limits.keyReportBytesMax)
  const { requestId: request, address, agent } = call
  const act = JSON.stringify({ surface: 'oauth', request, address, agent })
  for (const key of keysIn(text).slice(0, limits.keyReportKeysMax)) {
    await pool.use(connection =>
      connection.run(sql`select auth.report_key(${secrets.hashes(key)}, ${act}::text::jsonb)`),
    )
  }
  context.status = 202
  context.body = { received: true }
  return true
}
