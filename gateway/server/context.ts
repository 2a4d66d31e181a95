// What the front door is given to open: everything that start.ts has read, started and made.
import type { Config } from './config.ts'
import type { Log } from '#http/log.ts'
import type { Secrets } from './secrets.ts'

export type GatewayContext = Readonly<{
  config: Config
  /** Of the database's owner, migrated. */
  databaseUrl: string
  secrets: Secrets
  log: Log
}>

/** The sandbox that a first start makes, for people and tools to begin with. */
export type SandboxAccess = Readonly<{ key: string; integration: string; organization: string }>

export type Serving = {
  port: number
  /** Takes no new requests, and ends when those under way are answered. */
  stop(): Promise<void>
}
