// Whose address a request came from. A proxy says so in X-Forwarded-For, and anybody else may write
// there what he likes, so the header is read from its end, as far as proxies of ours wrote it.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { AddressRange } from '#gateway/server/config.ts'

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
      // What a trusted proxy passed on unread is no address, so the proxy is the last one known.
      if (address === null) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  })
}

const cachedMax = 1000

/** Callers come again: an address is parsed once. */
function cached(read: AddressOf): AddressOf {
  const known = new LRUCache<string, { address: string | null }>({ max: cachedMax })
  return (peer, forwarded) => {
    // An address holds no blank, so that both together are no other's.
    const asked = forwarded === null ? (peer ?? '') : `${peer ?? ''} ${forwarded}`
    const found = known.get(asked)
    if (found !== undefined) return found.address
    const address = read(peer, forwarded)
    known.set(asked, { address })
    return address
  }
}

/** One spelling for each address, without brackets or port; null for what is not one. */
function plain(text: string): string | null {
  const plainResponse = text
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const isAddress =
    ipaddr.IPv4.isValidFourPartDecimal(plainResponse) || ipaddr.IPv6.isValid(plainResponse)
  return isAddress ? ipaddr.process(plainResponse).toString() : null
}
