// Finishes every response from the library and our own code: writes refusals, sets headers and logs
// failures.

import type { AnswerContext } from './context.ts'
import { isAway } from '#database/failures.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { setCors } from './cors.ts'
import { methodOf } from './endpoints.ts'
import { OAuthRefusal } from './refuse.ts'
import type { OAuthRequest } from './request.ts'
import type { FailedRequest } from '#http/http-request.ts'

export type ErrorPage = (
  code: string,
  description: string,
) => { readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }

export function checkMethod({ path, method }: AnswerContext): void {
  const only = methodOf(path)
  if (only === undefined) throw new OAuthRefusal('not_found', 'nothing is served at this path')
  const isAllowed = method === only || method === 'OPTIONS' || (only === 'GET' && method === 'HEAD')
  if (isAllowed) return
  throw new OAuthRefusal('invalid_request', `the method must be ${only}`, {
    status: 405,
    headers: { allow: `${only}, OPTIONS` },
  })
}

export function refuse(
  context: AnswerContext,
  request: OAuthRequest,
  failure: unknown,
  page: ErrorPage,
): void {
  if (!(failure instanceof OAuthRefusal)) {
    request.failure = failure
    context.status = 500
    context.body = { error: 'server_error' }
    return
  }
  if (failure.client !== undefined) request.client = failure.client
  context.status = failure.status
  for (const [name, value] of Object.entries(failure.headers)) context.set(name, value)
  if (context.path !== paths.authorization || context.method !== 'GET') {
    context.body = failure.body
    return
  }
  // A person reads this page, in the browser where an agent opened the URL.
  if (failure.status === 401) context.status = 400
  request.shown = failure.code
  const { headers, body } = page(failure.code, failure.description)
  context.set({ ...headers })
  context.body = body
}

/** Every error follows RFC 6749, no matter what went wrong. Details are logged, not sent. */
export function finishAnswer(
  context: AnswerContext,
  request: OAuthRequest,
  onError: (failure: unknown, request: FailedRequest) => void,
): void {
  context.set('Cache-Control', cacheOf(context))
  setCors(context)
  dropSessionCookie(context)
  if (request.failure === undefined) return
  onError(request.failure, { id: request.call.requestId, route: context.path })
  const away = isAway(request.failure)
  context.status = away ? 503 : 500
  if (away) context.set('Retry-After', '1')
  context.body = {
    error: away ? 'temporarily_unavailable' : 'server_error',
    error_description: away
      ? 'the server is temporarily unavailable; try again'
      : `the server failed; request ${request.call.requestId}`,
  }
}

const cacheOf = ({ path, status }: AnswerContext) =>
  path === paths.metadata && status === 200 ? 'public, max-age=3600' : 'no-store'

/** The library stores no session here (adapter.ts), so its cookie is meaningless. */
function dropSessionCookie({ response }: AnswerContext): void {
  const given = response.headers['set-cookie']
  if (given === undefined) return
  const kept = [given]
    .flat()
    .map(String)
    .filter(cookie => !/^(__Secure-)?auth_unused(\.sig)?=/.test(cookie))
  if (kept.length === 0) response.remove('set-cookie')
  else response.set('set-cookie', kept)
}
