// Requests outside the library, for logins and uploads, through the environment's proxy if there is
// one.

import { fetchThrough, proxyFor } from '../../typescript/src/network/network.ts'
import { unreachable } from './api/client.ts'

export async function send(url: string, init?: RequestInit): Promise<Response> {
  const proxy = proxyFor(url, undefined)
  if (proxy === undefined) return fetch(url, init)
  const response = await fetchThrough(proxy, url, init)
  return response.url === '' ? Object.defineProperty(response, 'url', { value: url }) : response
}

/** Like `send`, but its errors name the server that couldn't be reached. */
export const reach = (url: string, init?: RequestInit): Promise<Response> =>
  send(url, init).catch((error: unknown) => {
    throw unreachable(url, error)
  })

/** A URL's proxy, without its password. */
export const proxyOf = (url: string): string | undefined => proxyFor(url, undefined)?.url.origin
