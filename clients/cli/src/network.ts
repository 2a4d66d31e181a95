// Requests outside the library, for logins and uploads, through the environment's proxy if there is
// one.

import { fetchThrough, proxyFor } from '../../typescript/src/network/network.ts'

export async function send(url: string, init?: RequestInit): Promise<Response> {
  const proxy = proxyFor(url, undefined)
  if (proxy === undefined) return fetch(url, init)
  const response = await fetchThrough(proxy, url, init)
  return response.url === '' ? Object.defineProperty(response, 'url', { value: url }) : response
}

/** A URL's proxy, without its password. */
export const proxyOf = (url: string): string | undefined => proxyFor(url, undefined)?.url.origin
