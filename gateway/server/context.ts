// The context that `start.ts` prepares for the gateway: settings, database, secrets and log.
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import type { ModuleUrls } from '../origins/settings.ts'
import type { LocalClinic } from '../local/clinic.ts'
import type { Config } from './config.ts'
import type { Log } from '#http/log.ts'
import type { Secrets } from './secrets.ts'

export type GatewayContext = Readonly<{
  config: Config
  /** The migrated database, with its owner's credentials. */
  databaseUrl: string
  secrets: Secrets
  log: Log
  /** Until then it is open whether this version may serve the database. */
  checked?: Promise<unknown>
}>

/** The sandbox that the first start creates. */
export type SandboxAccess = Readonly<{
  key: string
  integration: string
  organization: string
  /** Who owns the integration; none on a public server. */
  owner?: LocalAccess
  /** Live mode of a platform on one machine; none on any other. */
  clinic?: LocalClinic
}>

export type Serving = {
  port: number
  /** The public origin of the site and the API, and the URLs of the other modules. */
  base: string
  urls: ModuleUrls
  /** Whether the authorization server is served at its URL. */
  hasSignIn: boolean
  /** Accepts no new requests, and resolves when the current ones are answered. */
  stop(): Promise<void>
}
