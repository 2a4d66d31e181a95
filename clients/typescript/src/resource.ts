// What the generated methods are made of.

import { Call } from './call.ts'
import { hide } from './errors.ts'
import type { DownloadOptions } from './options.ts'
import { List } from './page.ts'
import type { Outgoing, Transport } from './transport.ts'

/** A response whose JSON has a known type. */
export type JsonResponse<T> = Omit<Response, 'json'> & { json(): Promise<T> }

/** A group of methods. */
export class Resource {
  declare protected readonly transport: Transport

  constructor(transport: Transport) {
    // Out of sight of console.log.
    hide(this, { transport })
  }
}

export const call = <T extends object>(transport: Transport, outgoing: Outgoing): Call<T> =>
  new Call(transport.send<T>(outgoing))

export const download = <T>(
  transport: Transport,
  { options = {}, ...outgoing }: Outgoing & { options?: DownloadOptions | undefined },
): Call<JsonResponse<T>> => {
  const { ifNoneMatch } = options
  const headers: Record<string, string> =
    ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
  return call(transport, { ...outgoing, options, headers, isDownload: true })
}

export const list = <T extends object>(
  transport: Transport,
  cursor: string,
  { query, ...outgoing }: Outgoing,
): List<T> =>
  new List({
    cursor,
    query: query ?? {},
    ask: page => transport.send({ ...outgoing, query: page }),
  })
