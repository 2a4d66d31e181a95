// The base class of the generated resources.

import { Call } from './call.ts'
import { hide } from './errors.ts'
import type { CallOptions, DownloadOptions, WriteOptions } from './options.ts'
import { List } from './page.ts'
import type { Outgoing } from './request.ts'
import type { Transport } from './transport.ts'

/** A response whose JSON has a known type. */
export type JsonResponse<T> = Omit<Response, 'json'> & { json(): Promise<T> }

/** Sends `params` as a read's query or a write's body. */
function outgoingOf(route: string, ids: readonly string[], params?: object): Outgoing {
  const [method = '', path = ''] = route.split(' ')
  return {
    method,
    path: `/v1${path}`,
    ids,
    ...(method === 'GET' ? { query: { ...params } } : { body: params }),
  }
}

export class Resource {
  declare protected readonly transport: Transport

  constructor(transport: Transport) {
    // Hides the transport from console.log.
    hide(this, { transport })
  }

  protected request<T extends object>(
    route: string,
    ids: readonly string[],
    params?: object,
    options?: WriteOptions,
    echoes?: string,
  ): Call<T> {
    return new Call(this.transport.send<T>({ ...outgoingOf(route, ids, params), options, echoes }))
  }

  protected pages<T extends object>(
    route: string,
    ids: readonly string[],
    params: object | undefined,
    options: CallOptions | undefined,
    cursor: string,
    echoes?: string,
  ): List<T> {
    const { query = {}, ...outgoing } = outgoingOf(route, ids, params)
    const { transport } = this
    return new List({
      cursor,
      query,
      ask: page => transport.send({ ...outgoing, query: page, options, echoes }),
    })
  }

  protected bytes<T>(
    route: string,
    ids: readonly string[],
    { ifNoneMatch, ...options }: DownloadOptions = {},
  ): Call<JsonResponse<T>> {
    const headers = ifNoneMatch === undefined ? undefined : { 'if-none-match': ifNoneMatch }
    const outgoing = { ...outgoingOf(route, ids), options, headers, isDownload: true }
    return new Call(this.transport.send<JsonResponse<T>>(outgoing))
  }
}
