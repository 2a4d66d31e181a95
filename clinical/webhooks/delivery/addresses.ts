// Where a webhook may go (contract/12, section 7): public addresses only, asked for at registration
// and again before every attempt. Every address of a name is judged, because any of them may be the
// one that is connected to.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import type { Mode } from '#contract/operation.ts'
import { LRUCache } from 'lru-cache'
import { reachesAllowedAddresses } from '../../modes.ts'

/** Every address of a name; rejects when it has none, or nobody answers. */
export type Resolve = (host: string) => Promise<readonly string[]>
export type Range = readonly [IPv4 | IPv6, number]

export type AddressRule = {
  resolve: Resolve
  /** Not public, and yet called in test mode: receivers of developers and of tests. */
  allowed: readonly Range[]
}

export const resolveBySystem: Resolve = async host =>
  (await lookup(host, { all: true, verbatim: true })).map(found => found.address)

export const publicAddresses: AddressRule = { resolve: resolveBySystem, allowed: [] }

export type Judged = { address: string } | { refused: 'blocked_address' | 'dns_failure' }

const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/
const portsFrom = 1024

/** Of an address that the URL standard has written in its one form. */
const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** What is wrong with the text of an address, before anybody is asked; null when nothing is. */
function faultOfUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:')
    return 'url must be an https URL, such as https://example.com/webhooks.'
  if (url.username !== '' || url.password !== '') return 'url must not contain credentials.'
  if (text.includes('#')) return 'url must not contain a fragment.'
  const host = url.hostname.replace(/\.$/, '')
  const isAddress = ipaddr.isValid(withoutBrackets(host))
  if (!isAddress && (!host.includes('.') || privateNames.test(host))) {
    return 'url must not name a host of a private network.'
  }
  const port = Number(url.port || 443)
  if (port !== 443 && port < portsFrom)
    return `url must use port 443, or a port from ${portsFrom} up.`
  return null
}

/** IPv4 in the first, abandoned clothes of IPv6: nobody lives there. */
const compatible = ipaddr.parseCIDR('::/96')

const isPublic = (address: IPv4 | IPv6) =>
  address.range() === 'unicast' && !(address.kind() === 'ipv6' && address.match(compatible))
const isAllowed = (address: IPv4 | IPv6, allowed: readonly Range[]) =>
  allowed.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))

function mayCall(text: string, mode: Mode, rule: AddressRule): boolean {
  // A scope names an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  // An IPv4 address in the clothes of IPv6 is judged as what it is.
  const address = ipaddr.process(text)
  if (isPublic(address)) return true
  return reachesAllowedAddresses(mode) && isAllowed(address, rule.allowed)
}

/** What was found of an address holds for as long as the rule does. */
const verdicts = new WeakMap<AddressRule, LRUCache<string, boolean>>()
const verdictsMax = 10_000

function mayCallNow(text: string, mode: Mode, rule: AddressRule): boolean {
  const known = verdicts.get(rule) ?? new LRUCache<string, boolean>({ max: verdictsMax })
  verdicts.set(rule, known)
  const key = `${mode} ${text}`
  const found = known.get(key) ?? mayCall(text, mode, rule)
  known.set(key, found)
  return found
}

/** The address to connect to now, or why none is. */
export async function judge(url: URL, mode: Mode, rule: AddressRule): Promise<Judged> {
  const host = withoutBrackets(url.hostname)
  const found = isIP(host) !== 0 ? [host] : await rule.resolve(host).catch(() => [])
  const [first] = found
  if (first === undefined) return { refused: 'dns_failure' }
  if (!found.every(address => mayCallNow(address, mode, rule))) {
    return { refused: 'blocked_address' }
  }
  return { address: first }
}

/**
 * The fault of an address that is to be registered, or null. A name that nobody knows yet is taken:
 * there is nothing to be afraid of, and it is asked for again before every attempt.
 */
export async function vetUrl(text: string, mode: Mode, rule: AddressRule): Promise<string | null> {
  const fault = faultOfUrl(text)
  if (fault !== null) return fault
  const judged = await judge(new URL(text), mode, rule)
  const isBlocked = 'refused' in judged && judged.refused === 'blocked_address'
  return isBlocked ? 'url must not resolve to a private address.' : null
}
