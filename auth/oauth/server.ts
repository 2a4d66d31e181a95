// The authorization server: the library behind our own endpoints and rules. It is an application
// for node:http, mounted at AUTH_URL (gateway/server/auth-server.ts).

import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Context } from './context.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { isAway } from '#database/failures.ts'
import { publicAddresses } from '#http/outgoing/addresses.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import type { Peppers } from '../pepper.ts'
import { openRefusalLog } from './audit.ts'
import { setCors } from './cors.ts'
import { createConsents } from './approval/consents.ts'
import { createDevices } from './approval/devices.ts'
import { limits } from '#contract/limits.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { methodOf, methods, serverMetadata } from './endpoints.ts'
import type { Resources } from './tokens/families.ts'
import { limitFailures, type Limiters } from './limiters.ts'
import { createProvider } from './library/provider.ts'
import { OAuthRefusal } from './refuse.ts'
import { newRequest, type OAuthRequest, rememberRequest, requestOf } from './request.ts'
import { openClientDocuments } from './clients/client-documents.ts'
import { answerOwn, countRegistration } from './own-endpoints.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { finishTokens } from './finish.ts'
import { recordRefusal } from './refusals.ts'
import { checkParameters } from './form.ts'
import { createMinting } from './tokens/mint-client-tokens.ts'
import { createAnswered } from './tokens/answered.ts'
import { openSweeper } from './sweep.ts'

export type OAuthCall = {
  readonly requestId: string
  /** Of the client. */
  readonly address: string | null
}

type ErrorPage = (
  code: string,
  description: string,
) => { readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }

type AuthorizationServerOptions = {
  /** AUTH_URL, from the settings; never from a header. */
  readonly issuer: string
  readonly resources: Resources
  /** Of the role app_auth. */
  readonly pool: ConnectionPool
  readonly peppers: Peppers
  /** Where the guide to authentication is. */
  readonly documentation: string
  readonly limiters: Limiters
  /** How documents that describe clients are read; absent: from public addresses. */
  readonly outgoing?: Outgoing | undefined
  readonly consentPath: (interaction: string) => string
  readonly onError: (failure: unknown, requestId: string) => void
  /** The page of an error that must not be sent to a client. */
  readonly errorPage?: ErrorPage
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>

const publicOutgoing: Outgoing = {
  addresses: publicAddresses,
  ca: undefined,
  seconds: limits.clientDocumentSeconds,
}

const plainPage: ErrorPage = (code, description) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${description} (${code})\n`,
})

export function createAuthorizationServer(options: AuthorizationServerOptions) {
  const { issuer, resources, pool, errorPage = plainPage } = options
  const secrets = createSecrets(options.peppers)
  const refusals = openRefusalLog(pool)
  const answered = createAnswered()
  const provider = createProvider({
    issuer,
    resources,
    pool,
    secrets,
    answered,
    resumeUrl: id => `${issuer}${paths.authorization}/${id}`,
    consentPath: options.consentPath,
    renderError: (context, out) => showError(context, out, errorPage),
  })
  const calls = new WeakMap<IncomingMessage, OAuthCall>()
  const metadata = serverMetadata(issuer, options.documentation)
  const documents = documentsOf(options, secrets)
  const parts = { ...options, secrets, metadata, documents, mintClientToken: createMinting(pool) }
  provider.on('server_error', (context, failure) => {
    const request = requestOf(context)
    if (request !== undefined) request.failure = failure
  })
  ;(provider as EventEmitter).on('error', failure => options.onError(failure, ''))

  provider.use(async (context, next) => {
    const call = calls.get(context.req) ?? { requestId: '', address: null }
    const request = newRequest({ ...call, agent: context.get('user-agent') || null })
    rememberRequest(context, request)
    context.set('Cache-Control', 'no-store')
    const run = async () => {
      checkMethod(context)
      checkParameters(new URLSearchParams(context.querystring))
      if (await answerOwn(parts, context, request)) return
      await next()
      await finishTokens({ pool, secrets, answered }, context, request)
    }
    await run().catch((failure: unknown) => refuse(context, request, failure, errorPage))
    finishAnswer(context, request, options.onError)
    await limitFailures(options.limiters, context, request)
    await recordRefusal(refusals, context, request)
  })
  const callback = provider.callback()
  const sweeper = openSweeper(pool, failure => options.onError(failure, ''))

  return {
    issuer,
    /** Whether a path is one of this server's; the pages have the others. */
    serves: (path: string) => methodOf(path) !== undefined,
    paths: [...methods.keys()],
    answer(request: IncomingMessage, response: ServerResponse, call: OAuthCall): Promise<void> {
      calls.set(request, call)
      return callback(request, response)
    },
    /** For the page of a consent. */
    consents: createConsents({ pool, provider, secrets, resources }),
    /** For the page of a device. */
    devices: createDevices({ pool, secrets, resources }),
    async close(): Promise<void> {
      await sweeper.stop()
      await refusals.flush()
    },
  }
}

const documentsOf = (
  { pool, limiters, outgoing = publicOutgoing }: AuthorizationServerOptions,
  secrets: Secrets,
) =>
  openClientDocuments({
    pool,
    outgoing,
    counted: call => countRegistration({ secrets, limiters }, call),
  })

function checkMethod({ path, method }: Context): void {
  const only = methodOf(path)
  if (only === undefined) throw new OAuthRefusal('not_found', 'nothing is served at this path')
  const isAllowed = method === only || method === 'OPTIONS' || (only === 'GET' && method === 'HEAD')
  if (isAllowed) return
  throw new OAuthRefusal('invalid_request', `the method must be ${only}`, {
    status: 405,
    headers: { allow: `${only}, OPTIONS` },
  })
}

function refuse(context: Context, request: OAuthRequest, failure: unknown, page: ErrorPage): void {
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
  // A person reads it, in the browser in which an agent opened the address.
  if (failure.status === 401) context.status = 400
  const { headers, body } = page(failure.code, failure.description)
  context.set({ ...headers })
  context.body = body
}

/** In the form of RFC 6749, whatever went wrong; details are logged and not sent. */
function finishAnswer(
  context: Context,
  request: OAuthRequest,
  onError: AuthorizationServerOptions['onError'],
): void {
  context.set('Cache-Control', cacheOf(context))
  setCors(context)
  dropSessionCookie(context)
  if (request.failure === undefined) return
  onError(request.failure, request.call.requestId)
  if (context.status === 303) return
  const away = isAway(request.failure)
  context.status = away ? 503 : 500
  if (away) context.set('Retry-After', '1')
  context.body = {
    error: away ? 'temporarily_unavailable' : 'server_error',
    error_description: away
      ? 'the server cannot answer now; try again'
      : `the server failed; request ${request.call.requestId}`,
  }
}

const cacheOf = ({ path, status }: Context) =>
  path === paths.metadata && status === 200 ? 'public, max-age=3600' : 'no-store'

/** The library's session holds nothing here (adapter.ts), so its cookie would say nothing. */
function dropSessionCookie({ response }: Context): void {
  const given = response.headers['set-cookie']
  if (given === undefined) return
  const kept = [given]
    .flat()
    .map(String)
    .filter(cookie => !/^(__Secure-)?auth_unused(\.sig)?=/.test(cookie))
  if (kept.length === 0) response.remove('set-cookie')
  else response.set('set-cookie', kept)
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
  const { headers, body } = page(
    out.error,
    out.error_description ?? 'The request cannot be answered.',
  )
  context.set({ ...headers })
  context.body = body
}
