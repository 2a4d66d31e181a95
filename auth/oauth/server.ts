// The authorization server: the library behind our own endpoints and rules. It's an application for
// node:http, mounted at AUTH_URL (gateway/origins/auth-server.ts).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionPool } from '#database/pool.ts'
import { publicAddresses } from '#http/outgoing/addresses.ts'
import { openOnce } from '#http/open-once.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import type { Peppers } from '../pepper.ts'
import { checkMethod, type ErrorPage, finishAnswer, refuse } from './answer.ts'
import { openRefusalLog } from './audit.ts'
import { type AnswerContext, OwnContext } from './context.ts'
import { createConsents } from './approval/consents.ts'
import { createDevices } from './approval/devices.ts'
import { limits } from '#contract/limits.ts'
import { methodOf, methods, serverMetadata } from './endpoints.ts'
import type { Resources } from './families.ts'
import { limitFailures, type Limiters } from './limiters.ts'
import type { Library } from './library/open.ts'
import { newRequest, type OAuthRequest } from './request.ts'
import { openClientDocuments } from './clients/client-documents.ts'
import { answerOwn, countRegistration } from './own-endpoints.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { recordRefusal } from './refusals.ts'
import { checkParameters } from './form.ts'
import { createMinting } from './tokens/mint-client-tokens.ts'
import { createResponseTimes } from './tokens/response-times.ts'
import { openSweeper } from './sweep.ts'
import type { FailedRequest } from '#http/http-request.ts'

export type OAuthCall = {
  readonly requestId: string
  /** The client's address. */
  readonly address: string | null
}

type AuthorizationServerOptions = {
  /** AUTH_URL, from the settings and never from a header. */
  readonly issuer: string
  readonly resources: Resources
  /** Connects as app_auth. */
  readonly pool: ConnectionPool
  readonly peppers: Peppers
  /** The URL of the authentication guide. */
  readonly documentation: string
  readonly limiters: Limiters
  /** Reads the documents that describe clients. Default: from public addresses. */
  readonly outgoing?: Outgoing | undefined
  readonly consentPath: (interaction: string) => string
  readonly onError: (failure: unknown, request: FailedRequest) => void
  /** The page for an error that must not be sent to a client. */
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
  const responseTimes = createResponseTimes()
  const metadata = serverMetadata(issuer, options.documentation)
  const documents = documentsOf(options, secrets)
  const parts = { ...options, secrets, metadata, documents, mintClientToken: createMinting(pool) }
  const finish = async (context: AnswerContext, request: OAuthRequest) => {
    finishAnswer(context, request, options.onError)
    await limitFailures(options.limiters, context, request)
    await recordRefusal(refusals, context, request)
  }
  // Loaded with the first request, because it would take a seventh of a gateway's startup time.
  const { get: library } = openOnce<Library>(async () => {
    const { openLibrary } = await import('./library/open.ts')
    return openLibrary({ ...options, secrets, responseTimes, errorPage, finish })
  })
  const answer = ownAnswers({ ...parts, finish, errorPage, library })
  const sweeper = openSweeper(pool, failure =>
    options.onError(failure, { id: '', route: '', operation: 'sweep' }),
  )

  return {
    issuer,
    /** Whether this server handles a path; the pages handle all others. */
    serves: (path: string) => methodOf(path) !== undefined,
    paths: [...methods.keys()],
    answer,
    /** Used by the consent page. */
    consents: createConsents({
      pool,
      provider: async () => (await library()).provider,
      secrets,
      resources,
    }),
    /** Used by the device page. */
    devices: createDevices({ pool, secrets, resources }),
    async close(): Promise<void> {
      await sweeper.stop()
      await refusals.flush()
    },
  }
}

type AnswerParts = Parameters<typeof answerOwn>[0] & {
  readonly errorPage: ErrorPage
  finish(context: AnswerContext, request: OAuthRequest): Promise<void>
  library(): Promise<Library>
}

/** Handles requests at our own endpoints. Checks all other requests, and passes them to the
 *  library. */
function ownAnswers(parts: AnswerParts) {
  const { finish, errorPage, library } = parts
  return async (given: IncomingMessage, response: ServerResponse, call: OAuthCall) => {
    const context = new OwnContext(given)
    const request = newRequest({ ...call, agent: context.get('user-agent') || null })
    const run = async () => {
      checkMethod(context)
      const query = new URLSearchParams(context.querystring)
      const sent = String(query)
      checkParameters(query)
      if (String(query) !== sent) context.querystring = String(query)
      return answerOwn(parts, context, request)
    }
    const isAnswered = await run().catch((failure: unknown) => {
      refuse(context, request, failure, errorPage)
      return true
    })
    if (!isAnswered) return (await library()).answer(context.req, response, request)
    await finish(context, request)
    context.send(response)
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
