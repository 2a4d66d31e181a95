// Serves AUTH_URL: the authorization server, and its pages for people.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createEncryption } from '#database/encryption.ts'
import { openPool } from '#database/pool.ts'
import { authPoolSettings } from './pool-settings.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import { answerForNode } from '#http/pages/node.ts'
import { openReencryption } from './accounts/reencryption.ts'
import { createLimiters } from './oauth/limiters.ts'
import { createAuthorizationServer, type OAuthCall } from './oauth/server.ts'
import type { Resources } from './oauth/families.ts'
import { consentPath } from './pages/consent.tsx'
import type { PageContext } from './pages/context.ts'
import { authorizationErrorPage, openPeoplePages } from './pages/pages.ts'
import type { Peppers } from './pepper.ts'
import type { FailedRequest } from '#http/http-request.ts'

export type AuthAppOptions = {
  /** The database URL for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  /** AUTH_URL. */
  readonly issuer: string
  readonly resources: Resources
  readonly own: PageContext['own']
  /** Other origins where a person who signed in also gets a session. */
  readonly handoffUrls?: PageContext['handoffUrls']
  readonly site: PageContext['site']
  readonly peppers: Peppers
  /** Keys that encrypt stored secrets, newest first. */
  readonly encryptionKeys: readonly string[]
  readonly counter?: OpenCounter
  /** Reads the documents that describe clients. Default: from public addresses. */
  readonly outgoing?: Outgoing
  /** The page where a developer reads unsent email. Absent if email is sent. */
  readonly mailUrl?: string | null
  onError(failure: unknown, request: FailedRequest): void
  /** The clock for authenticator apps' codes. */
  now?(): number
  /** Called after an email is queued; another part of the gateway sends it. */
  emailed?(): void
  /** A service that checks new passwords for breaches. Absent: none. */
  readonly breachedPasswordsUrl?: string | undefined
  /** A hash that matches no password, for tests. */
  unknownHash?: string
}

/** Tells browsers which origins may use this host's passkeys (Web Authentication level 3, section
 *  5.11). The console uses them when someone signs. */
const relatedOriginsPath = '/.well-known/webauthn'

async function answerRelatedOrigins(
  response: ServerResponse,
  { console }: NonNullable<AuthAppOptions['handoffUrls']> = {},
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
  response.end(JSON.stringify({ origins: console === undefined ? [] : [new URL(console).origin] }))
}

export function openAuthApp(options: AuthAppOptions) {
  const { issuer, resources, site, own, peppers, encryptionKeys, onError } = options
  const [pepper] = peppers
  const pool = openPool({
    url: options.url,
    size: options.poolSize,
    name: 'auth',
    settings: authPoolSettings,
  })
  const server = createAuthorizationServer({
    issuer,
    resources,
    pool,
    peppers,
    documentation: `${site.url}/docs/authentication`,
    limiters: createLimiters(options.counter),
    outgoing: options.outgoing,
    consentPath,
    onError,
    errorPage: (code, description) => authorizationErrorPage(site, code, description),
  })
  const pages = openPeoplePages({
    pool,
    authorization: server,
    site,
    own,
    handoffUrls: options.handoffUrls ?? {},
    peppers,
    encryptionKeys,
    secret: new Bun.CryptoHasher('sha256', pepper).update('pages of people').digest('base64url'),
    mailUrl: options.mailUrl ?? null,
    onError,
    ...(options.now && { now: options.now }),
    ...(options.emailed && { emailed: options.emailed }),
    breachedPasswordsUrl: options.breachedPasswordsUrl,
    unknownHash: options.unknownHash,
  })
  const answerPage = answerForNode(pages, onError)
  const reencryption = openReencryption(pool, createEncryption(encryptionKeys), failure =>
    onError(failure, { id: '', route: '', operation: 're-encryption' }),
  )
  return {
    paths: [...server.paths, relatedOriginsPath, ...pages.endpoints.map(({ path }) => path)],
    answer(request: IncomingMessage, response: ServerResponse, call: OAuthCall): Promise<void> {
      const [path = ''] = (request.url ?? '').split('?', 1)
      // Programs request unknown paths under /api/ and /.well-known/, so the response for an
      // unknown path there is JSON.
      if (path === relatedOriginsPath) return answerRelatedOrigins(response, options.handoffUrls)
      const isOfPrograms = server.serves(path) || /^\/(api|\.well-known)\//.test(path)
      return isOfPrograms
        ? server.answer(request, response, call)
        : answerPage(request, response, call)
    },
    async close(): Promise<void> {
      await Promise.all([server.close(), reencryption.stop()])
      await pool.close()
    },
  }
}
