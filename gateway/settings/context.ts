// The context that `start.ts` prepares for every process: settings, database, secrets and log.
import type { Log } from '#http/log.ts'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

export type GatewayContext = Readonly<{
  config: Config
  /** The migrated database's URL, with its owner's credentials. */
  databaseUrl: string
  secrets: Secrets
  log: Log
  /** Resolves once the schema check is done. */
  checked?: Promise<unknown>
}>
