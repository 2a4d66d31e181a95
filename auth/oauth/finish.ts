// Runs after the library has decided: writes its decision and completes the response.

import { limits } from '#contract/limits.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Context } from './context.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import type { ResponseTimes } from './tokens/response-times.ts'
import { commitTokens } from './tokens/issue.ts'
import { checkFamilyPin } from './tokens/organizations.ts'
import { OAuthRefusal } from './refuse.ts'
import type { Consumed, OAuthRequest } from './request.ts'
import type { Secrets } from './secrets.ts'

type Parts = { pool: ConnectionPool; secrets: Secrets; responseTimes: ResponseTimes }
type Answer = Record<string, unknown>

export async function finishTokens(
  { pool, secrets, responseTimes }: Parts,
  context: Context,
  request: OAuthRequest,
): Promise<void> {
  const { path, status } = context
  if (path === paths.deviceAuthorization && status === 200) {
    context.body = { ...(context.body as Answer), interval: limits.devicePollSeconds }
  }
  if (path !== paths.token) return correctError(context)
  if (status !== 200) return correctError(context)
  const { consumed, access, refresh, organization = null } = request
  if (consumed === undefined || access === undefined) {
    throw new Error('a token response has no token')
  }
  const issue = { consumed, access, ...(refresh === undefined ? {} : { refresh }) }
  if (organization !== null) {
    await pool.use(connection => checkFamilyPin(connection, consumed.family, organization))
  }
  const commit = (by: Consumed) =>
    pool.use(connection => commitTokens(connection, secrets, request, { ...issue, consumed: by }))
  const isFirst = await responseTimes.consuming(consumed.name, () => commit(consumed))
  // This request found the token unused, but another request from the same client came first.
  const isSecond = !isFirst && consumed.kind === 'refresh' && !consumed.isRetry
  const isIssued =
    isFirst || (isSecond && (await commit({ ...consumed, isRetry: true, isConcurrent: true })))
  if (!isIssued) throw new OAuthRefusal('invalid_grant', 'grant request is invalid')
}

/** Corrects codes where the library differs from RFC 6749, 5.2. */
function correctError(context: Context): void {
  const { body } = context as { body: unknown }
  if (context.status < 400 || typeof body !== 'object' || body === null) return
  const answer = body as { error?: string; error_description?: string }
  if (/grant.type.* is not allowed for this client/.test(answer.error_description ?? '')) {
    context.body = { ...answer, error: 'unauthorized_client' }
  }
  if (answer.error === 'temporarily_unavailable') {
    context.status = 429
    context.set('Retry-After', '60')
  }
}
