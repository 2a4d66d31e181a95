// Finds a request's client address. Trusted proxies append to X-Forwarded-For, but clients can send
// any value in it, so only the entries at its end that trusted proxies appended are used.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

export type AddressOf = (peer: string | undefined, forwarded: string | null) => string | null

/** Limits the work for a long header; real proxy chains are shorter. */
const hopsMax = 16

/** Whether an address belongs to a proxy. */
export const proxyCheck = (trusted: readonly AddressRange[]) => (address: string) => {
  const parsed = ipaddr.process(address)
  return trusted.some(
    ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
  )
}

export function addressReader(trusted: readonly AddressRange[]): AddressOf {
  const isTrusted = proxyCheck(trusted)
  return cached((peer, forwarded) => {
    let client = plain(peer ?? '')
    if (client === null || forwarded === null || !isTrusted(client)) return client
    const hops = forwarded.split(',').slice(-hopsMax)
    for (const hop of hops.toReversed()) {
      const address = plain(hop)
      // The entry isn't an address, so the trusted proxy that appended the entry is the last known
      // address.
      if (address === null) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  })
}

const cachedMax = 1000

/** Most clients send many requests, so parsed headers are cached. */
function cached(read: AddressOf): AddressOf {
  const addresses = new LRUCache<string, { address: string | null }>({ max: cachedMax })
  return (peer, forwarded) => {
    // An address contains no space, so the pair makes a unique key.
    const key = forwarded === null ? (peer ?? '') : `${peer ?? ''} ${forwarded}`
    let found = addresses.get(key)
    if (found === undefined) {
      found = { address: read(peer, forwarded) }
      addresses.set(key, found)
    }
    return found.address
  }
}

/** The canonical form of an address, without brackets or port; null if the text isn't an
 *  address. */
function plain(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isAddress ? ipaddr.process(bare).toString() : null
}
