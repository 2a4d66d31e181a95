// The parts of every client apart from the operations.

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

  /** The credential's mode. Undefined until it's known, for a credential requested later. */
  get mode(): Mode | undefined {
    return this.transport.shared.credentials.mode
  }

  /** Calls the listener for every response, even a retried one. Returns a function to remove it. */
  on(_event: 'response', listener: (event: ResponseEvent) => void): () => void {
    return this.transport.shared.log.listen(listener)
  }

  /**
   * Requests a path that has no method here, such as a preview path, with the same credential, key
   * and retries as every other call. Logs name the path as given: put patients' ids into the query
   * or the body.
   */
  request<T extends object = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    { query, body, ...options }: RawRequest = {},
  ): Call<T> {
    return new Call(this.transport.send<T>({ method, path, query, body, options }))
  }
}
