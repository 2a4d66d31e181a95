// The authorization server and the account pages, with their gateway dependencies.
import { openAuthApp } from '#auth/auth-app.ts'
import type { Peppers } from '#auth/pepper.ts'
import { limits } from '#contract/limits.ts'
import type { RoleUrls } from '#database/roles.ts'
import type { Counters } from '#http/limits/shared-counters.ts'
import type { ModuleUrls } from '../settings/origins.ts'
import type { AuthApp, AuthAppParts } from './auth-server.ts'
import type { GatewayContext } from '../settings/context.ts'
import { encryptionKeysOf } from '../settings/credentials.ts'
import { siteOf } from '../local/marks.ts'
import { outgoingOf } from './outgoing.ts'
import type { FailedRequest } from '#http/http-request.ts'

export type AuthorizationParts = {
  readonly urls: Pick<RoleUrls, 'auth'>
  readonly peppers: Peppers
  /** The public origin of the site. */
  readonly base: string
  readonly handoffUrls: Pick<ModuleUrls, 'portal' | 'console'>
  readonly counters: Counters
  onError(failure: unknown, request: FailedRequest): void
  /** A developer's page of unsent emails; null if email is sent. */
  readonly mailUrl: string | null
  /** Called after an email is queued. */
  emailed(): void
}

export const authorizationOf =
  (
    { config, secrets }: Pick<GatewayContext, 'config' | 'secrets'>,
    { urls, base, counters, ...parts }: AuthorizationParts,
  ) =>
  (given: AuthAppParts): AuthApp =>
    openAuthApp({
      ...parts,
      ...given,
      url: urls.auth,
      poolSize: config.poolSize,
      counter: counters.open,
      site: siteOf(config, base),
      encryptionKeys: encryptionKeysOf(config, secrets),
      breachedPasswordsUrl: config.breachedPasswordsUrl,
      outgoing: outgoingOf(config, limits.clientDocumentSeconds),
    })
