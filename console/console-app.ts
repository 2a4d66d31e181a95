// Serves CONSOLE_URL.
import { openConfirmations } from '#auth/accounts/confirmations.ts'
import { openHandoffs } from '#auth/accounts/handoffs.ts'
import { openSessions } from '#auth/accounts/sessions.ts'
import type { Peppers } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import type { Pages } from '#http/pages/pages.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ConsoleContext } from './context.ts'
import { openConsolePages } from './open-pages.ts'
import { style } from './style.ts'

export type ConsoleOptions = Pick<
  ConsoleContext,
  'authUrl' | 'own' | 'site' | 'staffCalls' | 'pharmacies' | 'onError'
> & {
  /** The database URL for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  readonly peppers: Peppers
  /** Keys that encrypt stored secrets, newest first. */
  readonly encryptionKeys: readonly string[]
  /** The clock for authenticator codes. Default: now. */
  codeTime?(): number
}

/** Read once, when the console opens. */
const ownScript = (name: string) =>
  new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(
    readFileSync(path.join(import.meta.dir, 'browser', `${name}.ts`), 'utf8'),
  )

/** The HMAC that binds forms to their browser, session and path. */
export function formHmac([pepper]: Peppers) {
  const secret = new Bun.CryptoHasher('sha256', pepper).update('forms of the console').digest()
  return (text: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest()
}

export type ClinicConsole = Pages & { close(): Promise<void> }

export function openConsole({
  url,
  poolSize,
  peppers,
  encryptionKeys,
  codeTime = now,
  ...options
}: ConsoleOptions): ClinicConsole {
  const pool = openPool({ url, size: poolSize, name: 'console', settings: authPoolSettings })
  const hmac = formHmac(peppers)
  const sessions = openSessions(pool, peppers, 'console')
  const context: ConsoleContext = {
    ...options,
    name: 'console',
    assets: pageAssets(style, {
      ...pageScripts(),
      shortcuts: ownScript('shortcuts'),
      notes: ownScript('notes'),
      leaving: ownScript('leaving'),
      codes: ownScript('codes'),
      work: ownScript('work'),
    }),
    formTargets: [options.authUrl],
    scripts: true,
    pool,
    sessions,
    confirmations: openConfirmations({
      pool,
      sessions,
      encryptionKeys,
      origin: options.authUrl,
      askedAt: options.own.origin,
      company: options.site.name,
      hmac,
      randomBytes,
      now: codeTime,
    }),
    handoffs: openHandoffs(pool, peppers),
    hmac,
    randomBytes,
    now,
  }
  return { ...openConsolePages(context), close: () => pool.close() }
}
