// What answers at CONSOLE_URL.
import { openHandoffs } from '#auth/accounts/handoffs.ts'
import { openSessions } from '#auth/accounts/sessions.ts'
import type { Peppers } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { assetHeaders, pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { ConsoleContext } from './context.ts'
import { notFound } from './failure.ts'
import { personEndpoints } from './people.tsx'
import { tableEndpoints } from './router.tsx'
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

export type ClinicConsole = {
  readonly endpoints: readonly PlainEndpoint[]
  /** Answers every other path. */
  fallback(request: RequestContext): Response
  close(): Promise<void>
}

export function openConsole({ url, poolSize, peppers, ...options }: ConsoleOptions): ClinicConsole {
  const pool = openPool({ url, size: poolSize, name: 'console', settings: authPoolSettings })
  const [pepper] = peppers
  const secret = new Bun.CryptoHasher('sha256', pepper).update('forms of the console').digest()
  const context: ConsoleContext = {
    ...options,
    name: 'console',
    assets: pageAssets(style, pageScripts()),
    pool,
    sessions: openSessions(pool, peppers, 'console'),
    handoffs: openHandoffs(pool, peppers),
    hmac: text => new Bun.CryptoHasher('sha256', secret).update(text).digest(),
    randomBytes,
    now,
  }
  const assets = Object.entries(context.assets.files).map(([path, asset]): PlainEndpoint => ({
    path,
    methods: ['GET', 'HEAD'],
    answer: () => new Response(asset.content as BodyInit, { headers: assetHeaders(asset) }),
  }))
  return {
    endpoints: [...assets, ...personEndpoints(context), ...tableEndpoints(context)],
    fallback: () => notFound(context),
    close: () => pool.close(),
  }
}
