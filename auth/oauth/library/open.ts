// Opens the library and wraps each request it handles: the adapter gets the request, its tokens are
// written, and its response is finished like ours.

import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { type ErrorPage, refuse } from '../answer.ts'
import type { AnswerContext } from '../context.ts'
import { finishTokens } from '../finish.ts'
import { type OAuthRequest, rememberRequest, requestOf } from '../request.ts'
import { createProvider, type ProviderParts } from './provider.ts'
import type { FailedRequest } from '#http/http-request.ts'

type LibraryParts = Omit<ProviderParts, 'renderError' | 'resumeUrl'> & {
  readonly errorPage: ErrorPage
  readonly onError: (failure: unknown, request: FailedRequest) => void
  readonly finish: (context: AnswerContext, request: OAuthRequest) => Promise<void>
}

export type Library = ReturnType<typeof openLibrary>

export function openLibrary({ errorPage, onError, finish, ...parts }: LibraryParts) {
  const provider = createProvider({
    ...parts,
    resumeUrl: id => `${parts.issuer}${paths.authorization}/${id}`,
    renderError: (context, out) => showError(context, out, errorPage),
  })
  const calls = new WeakMap<IncomingMessage, OAuthRequest>()
  provider.on('server_error', (context, failure) => {
    const request = requestOf(context)
    if (request !== undefined) request.failure = failure
  })
  ;(provider as EventEmitter).on('error', failure =>
    onError(failure, { id: '', route: '', operation: 'authorization library' }),
  )
  provider.use(async (context, next) => {
    const request = calls.get(context.req)
    if (request === undefined) throw new Error('a request bypassed answer()')
    rememberRequest(context, request)
    context.set('Cache-Control', 'no-store')
    await next()
      .then(() => finishTokens(parts, context, request))
      .catch((failure: unknown) => refuse(context, request, failure, errorPage))
    await finish(context, request)
  })
  const callback = provider.callback()
  return {
    provider,
    answer(given: IncomingMessage, response: ServerResponse, request: OAuthRequest) {
      calls.set(given, request)
      return callback(given, response)
    },
  }
}

function showError(
  context: KoaContextWithOIDC,
  out: { error: string; error_description?: string },
  page: ErrorPage,
): void {
  if (!context.path.startsWith(paths.authorization)) {
    context.body = out
    return
  }
  const request = requestOf(context)
  if (request !== undefined) request.shown = out.error
  const { headers, body } = page(
    out.error,
    out.error_description ?? 'We couldn’t complete this request.',
  )
  context.set({ ...headers })
  context.body = body
}
