// The audit rows of refusals. That of an authenticated client is stored before the answer; others
// are stored behind it, because unauthenticated callers can make as many as they like.

import { isId } from '#contract/ids.ts'
import type { AuditAction, RefusalLog } from './audit.ts'
import type { AnswerContext } from './context.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import type { OAuthRequest } from './request.ts'

const actions: Readonly<Record<string, AuditAction>> = {
  [paths.authorization]: 'oauth.authorize',
  [paths.token]: 'oauth.token',
  [paths.registration]: 'oauth.register',
  [paths.revocation]: 'oauth.revoke',
  [paths.introspection]: 'oauth.introspect',
  [paths.deviceAuthorization]: 'oauth.device',
}

/** Not a refusal: the person has not decided yet. */
const pending = new Set(['authorization_pending', 'slow_down'])

/** Of a refusal: the code of its body, of the page that a person is shown, or of the address by
 *  which the client hears of it. */
function codeOf({ body, response }: Answered, { shown }: OAuthRequest): string | null {
  const { error } = (body ?? {}) as { error?: string }
  const location = response.headers['location']
  const sent = typeof location === 'string' ? URL.parse(location, 'http://none') : null
  return error ?? shown ?? sent?.searchParams.get('error') ?? null
}

type Answered = Pick<AnswerContext, 'path' | 'status' | 'body' | 'response'>

export async function recordRefusal(
  refusals: RefusalLog,
  context: Answered,
  request: OAuthRequest,
): Promise<void> {
  const action = actions[context.path]
  if (action === undefined) return
  const { status } = context
  const code = codeOf(context, request)
  if (status < 400 && code === null) return
  if (code !== null && pending.has(code)) return
  const client = request.client !== undefined && isId('cli', request.client) ? request.client : null
  const outcome = status >= 500 ? 'error' : 'refused'
  const stored = refusals.record(request.call, { action, outcome, status, code, client })
  // A database that is away has its own log line, and must not change the answer.
  const settled = stored.catch(() => undefined)
  if (status !== 401 && client !== null) await settled
}
