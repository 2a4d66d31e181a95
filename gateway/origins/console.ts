// The clinic console with its gateway dependencies.
import type { Peppers } from '#auth/pepper.ts'
import { openStaffCalls } from '#clinical/staff-calls.ts'
import { pharmacySetup } from '#clinical/pharmacy/setup.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import { type ClinicConsole, openConsole } from '#console/console-app.ts'
import { keyed, openPool } from '#database/pool.ts'
import type { RoleUrls } from '#database/roles.ts'
import type { GatewayContext } from '../settings/context.ts'
import { encryptionKeysOf } from '../settings/credentials.ts'
import { siteOf } from '../local/marks.ts'
import type { Listeners } from './listeners.ts'
import type { FailedRequest } from '#http/http-request.ts'

type ConsoleParts = {
  readonly clinic: AppContext
  readonly listeners: Listeners
  readonly urls: Pick<RoleUrls, 'auth' | 'console'>
  readonly peppers: Peppers
  /** The public origin of the site and the API. */
  readonly base: string
  onError(failure: unknown, request: FailedRequest): void
}

export function consoleOf(
  { config, secrets }: Pick<GatewayContext, 'config' | 'secrets'>,
  { clinic, listeners, urls, peppers, base, onError }: ConsoleParts,
): ClinicConsole {
  const { poolSize } = config
  const pool = openPool({
    url: urls.console,
    size: poolSize,
    name: 'console pages',
    path: 'live, public',
    settings: keyed,
  })
  const opened = openConsole({
    url: urls.auth,
    poolSize,
    peppers,
    encryptionKeys: encryptionKeysOf(config, secrets),
    authUrl: listeners.urls.auth,
    own: listeners.own.console,
    site: siteOf(config, base),
    staffCalls: openStaffCalls(clinic, pool),
    pharmacies: pharmacySetup(clinic),
    onError,
  })
  return {
    ...opened,
    close: async () => void (await Promise.all([opened.close(), pool.close()])),
  }
}
