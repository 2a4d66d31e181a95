// What answers at CONSOLE_URL.
import { openHandoffs } from '#auth/accounts/handoffs.ts'
import { openSessions } from '#auth/accounts/sessions.ts'
import type { Peppers } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import type { Pages } from '#http/pages/pages.ts'
import type { ConsoleContext } from './context.ts'
import { openConsolePages } from './open-pages.ts'
import { style } from './style.ts'

export type ConsoleOptions = Pick<
  ConsoleContext,
  'authUrl' | 'own' | 'site' | 'staffCalls' | 'pharmacies' | 'onError'
> & {
  /** The database's address for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  readonly peppers: Peppers
}

export type ClinicConsole = Pages & { close(): Promise<void> }

export function openConsole({ url, poolSize, peppers, ...options }: ConsoleOptions): ClinicConsole {
  const pool = openPool({ url, size: poolSize, name: 'console', settings: authPoolSettings })
  const [pepper] = peppers
  const secret = new Bun.CryptoHasher('sha256', pepper).update('forms of the console').digest()
  const context: ConsoleContext = {
    ...options,
    name: 'console',
    assets: pageAssets(style, pageScripts()),
    formTargets: [options.authUrl],
    scripts: true,
    pool,
    sessions: openSessions(pool, peppers, 'console'),
    handoffs: openHandoffs(pool, peppers),
    hmac: text => new Bun.CryptoHasher('sha256', secret).update(text).digest(),
    randomBytes,
    now,
  }
  return { ...openConsolePages(context), close: () => pool.close() }
}
