// Reads a small document from a URL chosen by others: one GET, limited in bytes and time.

import { readUpTo } from './read-up-to.ts'
import { type AddressRule, resolveAddress } from './addresses.ts'
import {
  kindOfFailure,
  limitOf,
  type OutgoingFailure,
  sendTo,
  type Trust,
} from './pinned-request.ts'

export type Outgoing = Trust & {
  readonly addresses: AddressRule
  /** The time limit for the whole request, in seconds. */
  readonly seconds: number
}

type Fetched =
  | { readonly status: number; readonly headers: Headers; readonly body: Uint8Array | 'too large' }
  | { readonly refused: OutgoingFailure }

export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  outgoing: Outgoing,
  bytesMax: number,
): Promise<Fetched> {
  const limit = limitOf(outgoing.seconds * 1000)
  try {
    const verdict = await limit.within(resolveAddress(url, outgoing.addresses))
    if (verdict === null) return { refused: 'timeout' }
    if ('refused' in verdict) return verdict
    const request = { method: 'GET', headers, signal: limit.signal } as const
    const response = await sendTo(verdict.address, url, request, outgoing)
    const body = (await readUpTo(response, bytesMax)) ?? 'too large'
    return { status: response.status, headers: response.headers, body }
  } catch (failure) {
    return { refused: limit.isLate() ? 'timeout' : kindOfFailure(failure) }
  } finally {
    limit.clear()
  }
}

type Freshness = { readonly min: number; readonly default: number; readonly max: number }

/** How many seconds a response may be cached (RFC 9111, section 4.2), within bounds. */
export function secondsFresh(headers: Headers, bounds: Freshness): number {
  const control = headers.get('cache-control') ?? ''
  const [, maxAge] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control) ?? []
  const age = Number(headers.get('age') ?? 0) || 0
  const expires = Date.parse(headers.get('expires') ?? '')
  const date = Date.parse(headers.get('date') ?? '')
  const stated = () => {
    if (/(?:^|[\s,])no-(?:store|cache)/i.test(control)) return 0
    if (maxAge !== undefined) return Number(maxAge) - age
    return Number.isNaN(expires - date) ? bounds.default : (expires - date) / 1000 - age
  }
  return Math.floor(Math.min(bounds.max, Math.max(bounds.min, stated())))
}
