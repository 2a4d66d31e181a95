// The portal with its gateway dependencies.
import { openSessionCalls } from '#clinical/rest/session-calls.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import type { Peppers } from '#auth/pepper.ts'
import { currentAgreement } from '#content/agreement.ts'
import type { RoleUrls } from '#database/roles.ts'
import { openPortal, type Portal } from '#portal/portal-app.ts'
import type { GatewayContext } from '../settings/context.ts'
import { siteOf } from '../local/marks.ts'
import type { Listeners } from './listeners.ts'
import type { FailedRequest } from '#http/http-request.ts'

export type PortalParts = {
  readonly clinic: AppContext
  readonly listeners: Listeners
  readonly urls: Pick<RoleUrls, 'auth'>
  readonly peppers: Peppers
  /** The public origin of the site and the API. */
  readonly base: string
  onError(failure: unknown, request: FailedRequest): void
}

export const portalOf = (
  { config }: Pick<GatewayContext, 'config'>,
  { clinic, listeners, urls, peppers, base, onError }: PortalParts,
): Portal =>
  openPortal({
    url: urls.auth,
    poolSize: config.poolSize,
    peppers,
    api: base,
    authUrl: listeners.urls.auth,
    own: listeners.own.portal,
    site: siteOf(config, base),
    agreement: currentAgreement(),
    clinical: openSessionCalls(clinic),
    onError,
  })
