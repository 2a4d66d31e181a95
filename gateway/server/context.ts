// Data that `start.ts` and the gateway pass to each other.
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import type { ModuleUrls } from '../settings/origins.ts'
import type { LocalClinic } from '../local/clinic.ts'

/** The sandbox that the first start creates. */
export type SandboxAccess = Readonly<{
  key: string
  integration: string
  organization: string
  /** The integration's owner; absent on a public server. */
  owner?: LocalAccess
  /** Live mode on a single-machine platform; absent on any other. */
  clinic?: LocalClinic
}>

export type Serving = {
  port: number
  /** The public origin of the site and the API, and the URLs of the other modules. */
  base: string
  urls: ModuleUrls
  /** Whether the authorization server is served at its URL. */
  hasSignIn: boolean
  /** The page with unsent emails; null if emails are sent. */
  mailUrl: string | null
  /** Stops accepting requests, and resolves when the current ones have finished. */
  stop(): Promise<void>
}
