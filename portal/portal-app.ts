// Serves PORTAL_URL.
import { openHandoffs } from '#auth/accounts/handoffs.ts'
import { openSessions } from '#auth/accounts/sessions.ts'
import type { Peppers } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import type { Pages } from '#http/pages/pages.ts'
import { portalAssets } from './assets.ts'
import type { PortalContext } from './context.ts'
import { openPortalPages } from './open-pages.ts'

export type PortalOptions = Pick<
  PortalContext,
  'api' | 'authUrl' | 'site' | 'agreement' | 'clinical' | 'onError'
> & {
  /** The database URL for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  readonly own: OwnOrigin
  readonly peppers: Peppers
}

export type Portal = Pages & { close(): Promise<void> }

export function openPortal({ url, poolSize, peppers, ...options }: PortalOptions): Portal {
  const pool = openPool({ url, size: poolSize, name: 'portal', settings: authPoolSettings })
  const [pepper] = peppers
  const secret = new Bun.CryptoHasher('sha256', pepper).update('forms of the portal').digest()
  const portal: PortalContext = {
    ...options,
    name: 'portal',
    assets: portalAssets(),
    formTargets: [options.authUrl],
    scripts: true,
    pool,
    pepper,
    sessions: openSessions(pool, peppers, 'portal'),
    handoffs: openHandoffs(pool, peppers),
    hmac: text => new Bun.CryptoHasher('sha256', secret).update(text).digest(),
    randomBytes,
    now,
  }
  return { ...openPortalPages(portal), close: () => pool.close() }
}
