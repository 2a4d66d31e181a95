// Services a handler may use in addition to the database. `files/`, `webhooks/` and `realtime/`
// provide them.

import type { Mode } from '#contract/operation.ts'
import type { ChannelName } from '#contract/realtime.ts'
import type { Principal } from '#auth/principal.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Statement } from '#database/sql.ts'
import type { Job } from './jobs/job.ts'
import type { Direct, Storage } from './storage/storage.ts'
import type { Tokens } from './tokens.ts'
import type { Mime } from './viewer/sniff.ts'
import type { Viewer } from './viewer/viewer.ts'

export type CallServices = {
  /** The public origin. */
  readonly base: string
  readonly files: Files
  readonly webhooks: Webhooks
  readonly realtime: Realtime
}

export type Files = {
  readonly storage: Storage
  readonly tokens: Tokens
  /** Renders documents as images. */
  readonly viewer: Viewer
  /** Returns an object's upload URL and the headers to send. `{id}` in a header stands for the
   *  file's ID, which isn't known before the row is inserted. */
  reserve(
    caller: Pick<Principal, 'mode' | 'tenant'>,
    object: string,
    mime: Mime,
    size: number | null,
  ): Promise<Direct>
}

export type Webhooks = {
  readonly encryption: Encryption
  /** Returns why a URL must not be called, in one sentence; null if it may be called. */
  vetUrl(url: string, mode: Mode): Promise<string | null>
  /** A new, encrypted secret for this integration. */
  secretOf(owner: Principal): string
}

export type RealtimeGrant = {
  channel: ChannelName
  integration: string
  /** The ID of the API key that requested the token, or of the access token's family. Revoking that
   *  key or family revokes the token. */
  holder: string
  /** Milliseconds since 1970, a whole second. */
  expires: number
}

/** A realtime provider: it creates tokens, and defines how the worker's dispatcher forwards events.
 */
export type Realtime = {
  readonly name: 'embedded' | 'ably'
  /** Signs a token for one channel, without a request to the provider. */
  mint(mode: Mode, grant: RealtimeGrant): Promise<string>
  /** A common table expression `announced` in the dispatcher's statement, so both commit together.
   *  `taken (tenant, event, integration, organization, realtime)` are the events it reads;
   *  `realtime` is whether one of the integration's tokens is valid. */
  announce(mode: Mode): Statement
  /** Background jobs that deliver events to subscribers. */
  readonly jobs: readonly Job[]
}
