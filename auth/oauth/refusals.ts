// The audit rows for refusals. An authenticated client's row is stored before the response. Other
// rows are stored after it, because unauthenticated callers can cause any number of them.

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

/** Not refusals, because the person hasn't decided yet. */
const pending = new Set(['authorization_pending', 'slow_down'])

/** A refusal's code, from its body, from the page shown to a person, or from the URL that notifies
 *  the client. */
function codeOf({ body, response }: AnswerFacts, { shown }: OAuthRequest): string | null {
  const { error } = (body ?? {}) as { error?: string }
  const location = response.headers['location']
  const sent = typeof location === 'string' ? URL.parse(location, 'http://none') : null
  return error ?? shown ?? sent?.searchParams.get('error') ?? null
}

type AnswerFacts = Pick<AnswerContext, 'path' | 'status' | 'body' | 'response'>

export async function recordRefusal(
  refusals: RefusalLog,
  context: AnswerFacts,
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
  // An unavailable database has its own log line, and must not change the response.
  const settled = stored.catch(() => undefined)
  if (status !== 401 && client !== null) await settled
}
