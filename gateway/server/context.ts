// The data that `start.ts` and the gateway pass each other.
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import type { ModuleUrls } from '../settings/origins.ts'
import type { LocalClinic } from '../local/clinic.ts'

/** The sandbox that the first start creates. */
export type SandboxAccess = Readonly<{
  key: string
  integration: string
  organization: string
  /** The integration's owner. None on a public server. */
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
  /** The page with the emails that aren't sent; null if they are sent. */
  mailUrl: string | null
  /** Accepts no new requests, and resolves when the current ones are answered. */
  stop(): Promise<void>
}
