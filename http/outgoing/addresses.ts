// Prevents server-side request forgery: requests to hosts chosen by others may go only to public
// addresses. A host is resolved and checked before every request. All of its addresses must be
// public, because a connection may use any of them.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { withoutBrackets } from './public-url.ts'

/** Returns a name's addresses; rejects if it has none or the resolver doesn't respond. */
export type Resolve = (host: string) => Promise<readonly string[]>
type Range = readonly [IPv4 | IPv6, number]

export type AddressRule = {
  readonly resolve: Resolve
  /** Private addresses that requests may reach, such as developers' and tests' receivers. */
  readonly allowed: readonly Range[]
  /** Private addresses that requests in live mode may reach, for test receivers only. No setting
   *  exposes this list. */
  readonly allowedInLive?: readonly Range[]
}

export const resolveBySystem: Resolve = async host =>
  (await lookup(host, { all: true, verbatim: true })).map(found => found.address)

export const publicAddresses: AddressRule = { resolve: resolveBySystem, allowed: [] }

export type AddressVerdict = { address: string } | { refused: 'blocked_address' | 'dns_failure' }

/** IPv4-compatible IPv6 addresses, deprecated by RFC 4291, section 2.5.5.1. */
const ipv4Compatible = ipaddr.parseCIDR('::/96')

const isPublic = (address: IPv4 | IPv6) =>
  address.range() === 'unicast' && !(address.kind() === 'ipv6' && address.match(ipv4Compatible))
const isAllowed = (address: IPv4 | IPv6, allowed: readonly Range[]) =>
  allowed.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))

function mayCall(text: string, { allowed }: AddressRule): boolean {
  // A zone id (RFC 4007) names an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  // An IPv4-mapped IPv6 address is checked as the IPv4 address it contains.
  const address = ipaddr.process(text)
  return isPublic(address) || isAllowed(address, allowed)
}

/** Results by address, valid as long as the rule exists. */
const verdicts = new WeakMap<AddressRule, LRUCache<string, boolean>>()
const verdictsMax = 10_000

function mayCallCached(text: string, rule: AddressRule): boolean {
  const verdictsOfRule = verdicts.get(rule) ?? new LRUCache<string, boolean>({ max: verdictsMax })
  verdicts.set(rule, verdictsOfRule)
  const known = verdictsOfRule.get(text)
  if (known !== undefined) return known
  const found = mayCall(text, rule)
  verdictsOfRule.set(text, found)
  return found
}

/** The address to connect to now, or why no address qualifies. */
export async function resolveAddress(url: URL, rule: AddressRule): Promise<AddressVerdict> {
  const host = withoutBrackets(url.hostname)
  const found = isIP(host) !== 0 ? [host] : await rule.resolve(host).catch(() => [])
  const [first] = found
  if (first === undefined) return { refused: 'dns_failure' }
  if (!found.every(address => mayCallCached(address, rule))) return { refused: 'blocked_address' }
  return { address: first }
}
