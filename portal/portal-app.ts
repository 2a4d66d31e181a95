// What answers at PORTAL_URL.
import { openHandoffs } from '#auth/accounts/handoffs.ts'
import { openSessions } from '#auth/accounts/sessions.ts'
import type { Peppers } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { assetHeaders } from '#http/html/assets.ts'
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { RequestContext } from '#http/request-context.ts'
import { portalAssets } from './assets.ts'
import type { PortalContext } from './context.ts'
import { notFound } from './failure.tsx'
import { personEndpoints } from './people.tsx'
import { tableEndpoints } from './router.tsx'

export type PortalOptions = Pick<
  PortalContext,
  'api' | 'authUrl' | 'site' | 'agreement' | 'clinical' | 'onError'
> & {
  /** The database's address for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  readonly own: OwnOrigin
  readonly peppers: Peppers
}

export type Portal = {
  readonly endpoints: readonly PlainEndpoint[]
  /** Answers every other path. */
  fallback(request: RequestContext): Response
  close(): Promise<void>
}

export function openPortal({ url, poolSize, peppers, ...options }: PortalOptions): Portal {
  const pool = openPool({ url, size: poolSize, name: 'portal', settings: authPoolSettings })
  const [pepper] = peppers
  const secret = new Bun.CryptoHasher('sha256', pepper).update('forms of the portal').digest()
  const portal: PortalContext = {
    ...options,
    name: 'portal',
    assets: portalAssets(),
    pool,
    pepper,
    sessions: openSessions(pool, peppers, 'portal'),
    handoffs: openHandoffs(pool, peppers),
    hmac: text => new Bun.CryptoHasher('sha256', secret).update(text).digest(),
    randomBytes,
    now,
  }
  return {
    endpoints: [...assetEndpoints(portal), ...personEndpoints(portal), ...tableEndpoints(portal)],
    fallback: () => notFound(portal),
    close: () => pool.close(),
  }
}

const assetEndpoints = ({ assets }: PortalContext): PlainEndpoint[] =>
  Object.entries(assets.files).map(([path, asset]) => ({
    path,
    methods: ['GET', 'HEAD'],
    answer: () => new Response(asset.content as BodyInit, { headers: assetHeaders(asset) }),
  }))
