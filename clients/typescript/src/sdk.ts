// `@svc/sdk`: the client, its errors and types, and webhook verification.

import { BaseClient, openTransport } from './client.ts'
import { environmentPrefix } from './generated/contract.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { environment } from './runtime.ts'
import { Transport } from './transport.ts'
import { unwrap, verifySignature, type HeaderSource, type RawBody } from './webhooks.ts'
import type { Event } from './generated/schemas/events.ts'

export {
  APIError,
  ConnectionError,
  MismatchedResponseError,
  SvcError,
  TimeoutError,
  TokenError,
  WaitTimeoutError,
} from './errors.ts'
export * from './generated/errors.ts'
export { apiVersion, sdkVersion } from './generated/contract.ts'
export { Page, List } from './page.ts'
export { Call } from './call.ts'
export { Subscription } from './realtime/subscription.ts'
export { timeZoneOf } from './time-zones.ts'
export {
  isEvent,
  SignatureVerificationError,
  signWebhook,
  unwrap,
  verifySignature,
} from './webhooks.ts'
export type { ApiResponse, Result } from './call.ts'
export type { Mode } from './credentials.ts'
export type { EventIterator, IterateParams } from './events.ts'
export type { UploadParams } from './files.ts'
export type { WaitOptions } from './cases.ts'
export type { RealtimeMessage, RealtimeStatus, SubscribeOptions } from './realtime/subscription.ts'
export type { ResponseEvent } from './log.ts'
export type {
  CallOptions,
  ClientOptions,
  DownloadOptions,
  Logger,
  LogLevel,
  Middleware,
  WriteOptions,
} from './options.ts'
export type { JsonResponse } from './resource.ts'
export type {
  HeaderSource,
  RawBody,
  SignatureFault,
  SignedWebhook,
  VerifyOptions,
} from './webhooks.ts'
export type * from './generated/schemas.ts'

/** Verifies webhooks with the client's secret. */
class Webhooks {
  readonly #secret: ClientOptions['webhookSecret']

  constructor(secret: ClientOptions['webhookSecret']) {
    this.#secret = secret
  }

  get #secrets(): string | readonly string[] {
    const name = `${environmentPrefix}_WEBHOOK_SECRET`
    const secret = this.#secret ?? environment(name)
    if (secret === undefined) throw new TypeError(`Pass webhookSecret, or set ${name}.`)
    return secret
  }

  /** Verifies that the API sent this body recently. Throws a SignatureVerificationError
   *  otherwise. */
  verifySignature(rawBody: RawBody, headers: HeaderSource): Promise<void> {
    return verifySignature(rawBody, headers, this.#secrets)
  }

  /** Verifies a delivery and returns its event. Pass a `Request`, or the raw body and headers. */
  unwrap(request: Request): Promise<Event>
  unwrap(rawBody: RawBody, headers: HeaderSource): Promise<Event>
  unwrap(delivery: Request | RawBody, headers?: HeaderSource): Promise<Event> {
    return delivery instanceof Request
      ? unwrap(delivery, this.#secrets)
      : unwrap(delivery, headers, this.#secrets)
  }
}

/**
 * The clinical API client.
 *
 * @example
 * ```ts
 * const svc = new Svc() // reads SVC_API_KEY and SVC_BASE_URL
 * for await (const one of svc.cases.list({ status: 'approved' })) console.log(one.id)
 * ```
 */
export class Svc extends BaseClient {
  readonly webhooks: Webhooks

  constructor(options: ClientOptions | Transport = {}) {
    const transport = options instanceof Transport ? options : openTransport(options)
    super(transport)
    this.webhooks = new Webhooks(transport.shared.client.webhookSecret)
  }

  /** Returns a client with different call options. Both clients share tokens and listeners. */
  withOptions(options: Omit<CallOptions, 'signal'>): Svc {
    return new Svc(this.transport.with(options))
  }
}
