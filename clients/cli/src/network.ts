// Requests that the library doesn't make: of the login, and of files to storage. Like its own, they
// go through the proxy of the environment.

import { fetchThrough, proxyFor } from '../../typescript/src/network/network.ts'

export async function send(url: string, init?: RequestInit): Promise<Response> {
  const proxy = proxyFor(url, undefined)
  if (proxy === undefined) return fetch(url, init)
  const response = await fetchThrough(proxy, url, init)
  return response.url === '' ? Object.defineProperty(response, 'url', { value: url }) : response
}

/** The proxy of a URL, without its password. */
export const proxyOf = (url: string): string | undefined => proxyFor(url, undefined)?.url.origin
