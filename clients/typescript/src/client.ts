// The base of every client: everything except the operations, which are generated.

import { Call } from './call.ts'
import { Credentials, type Mode } from './credentials.ts'
import { hide } from './errors.ts'
import { GeneratedClient } from './generated/client.ts'
import { Log, type ResponseEvent } from './log.ts'
import { type ClientOptions, settingsOf, type WriteOptions } from './options.ts'
import { Transport } from './transport.ts'

export type RawRequest = WriteOptions & {
  query?: Record<string, unknown> | undefined
  body?: unknown
}

export function openTransport(client: ClientOptions): Transport {
  const settings = settingsOf(client)
  const log = new Log(client.logger, client.logLevel)
  return new Transport(settings, { client, credentials: new Credentials(client, settings), log })
}

export class BaseClient extends GeneratedClient {
  declare protected readonly transport: Transport

  constructor(transport: Transport) {
    super(transport)
    hide(this, { transport })
  }

  /** The credential's mode. Undefined before the first request if a function or client
   *  credentials supply it. */
  get mode(): Mode | undefined {
    return this.transport.shared.credentials.mode
  }

  /**
   * Calls the listener for every response, even a retried one. Returns a function that removes the
   * listener.
   */
  on(_event: 'response', listener: (event: ResponseEvent) => void): () => void {
    return this.transport.shared.log.listen(listener)
  }

  /**
   * Requests a path that has no method in this library, such as a preview path. The credential,
   * idempotency key and retries work as in other calls. Logs include the path as given, so put
   * patient IDs in the query or the body.
   */
  request<T extends object = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    { query, body, ...options }: RawRequest = {},
  ): Call<T> {
    return new Call(this.transport.send<T>({ method, path, query, body, options }))
  }
}
