// The client's address of a request. A trusted proxy says it in X-Forwarded-For, where a client may
// write what it likes, so the header is read from its end, as far as trusted proxies wrote it.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

export type AddressOf = (peer: string | undefined, forwarded: string | null) => string | null

/** The header can be as long as all headers may be, and no chain of proxies is. */
const hopsMax = 16

export function addressReader(trusted: readonly AddressRange[]): AddressOf {
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.process(address)
    return trusted.some(
      ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
    )
  }
  return cached((peer, forwarded) => {
    let client = plain(peer ?? '')
    if (client === null || forwarded === null || !isTrusted(client)) return client
    const hops = forwarded.split(',').slice(-hopsMax)
    for (const hop of hops.toReversed()) {
      const address = plain(hop)
      // A trusted proxy passed on what is no address, so the proxy is the last one known.
      if (address === null) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  })
}

const cachedMax = 1000

/** Callers come again: a header that was parsed is not parsed anew. */
function cached(read: AddressOf): AddressOf {
  const addresses = new LRUCache<string, { address: string | null }>({ max: cachedMax })
  return (peer, forwarded) => {
    // An address holds no blank, so that the two together are distinct.
    const key = forwarded === null ? (peer ?? '') : `${peer ?? ''} ${forwarded}`
    let found = addresses.get(key)
    if (found === undefined) {
      found = { address: read(peer, forwarded) }
      addresses.set(key, found)
    }
    return found.address
  }
}

/** One spelling for each address, without brackets or port; null for what is not one. */
function plain(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isAddress ? ipaddr.process(bare).toString() : null
}
