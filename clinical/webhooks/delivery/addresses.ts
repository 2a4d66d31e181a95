// Webhooks may only be sent to public addresses (server-side request forgery). A host is resolved
// and checked at registration and again before every attempt. Every address of a name must be
// public, because a connection may use any of them.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import type { Mode } from '#contract/operation.ts'
import { LRUCache } from 'lru-cache'
import { reachesAllowedAddresses } from '../../modes.ts'
import { faultOfWebhookUrl, withoutBrackets } from '../../pipeline/webhook-url.ts'

/** Every address of a name; rejects when it has none or the resolver does not answer. */
export type Resolve = (host: string) => Promise<readonly string[]>
export type Range = readonly [IPv4 | IPv6, number]

export type AddressRule = {
  resolve: Resolve
  /** Private addresses that test mode may call: receivers of developers and of tests. */
  allowed: readonly Range[]
}

export const resolveBySystem: Resolve = async host =>
  (await lookup(host, { all: true, verbatim: true })).map(found => found.address)

export const publicAddresses: AddressRule = { resolve: resolveBySystem, allowed: [] }

type AddressVerdict = { address: string } | { refused: 'blocked_address' | 'dns_failure' }

/** IPv4-compatible IPv6 addresses, deprecated by RFC 4291, section 2.5.5.1. */
const ipv4Compatible = ipaddr.parseCIDR('::/96')

const isPublic = (address: IPv4 | IPv6) =>
  address.range() === 'unicast' && !(address.kind() === 'ipv6' && address.match(ipv4Compatible))
const isAllowed = (address: IPv4 | IPv6, allowed: readonly Range[]) =>
  allowed.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))

function mayCall(text: string, mode: Mode, rule: AddressRule): boolean {
  // A zone id (RFC 4007) names an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  // An IPv4-mapped IPv6 address is checked as the IPv4 address that it contains.
  const address = ipaddr.process(text)
  if (isPublic(address)) return true
  return reachesAllowedAddresses(mode) && isAllowed(address, rule.allowed)
}

/** Results by address; they are valid as long as the rule exists. */
const verdicts = new WeakMap<AddressRule, LRUCache<string, boolean>>()
const verdictsMax = 10_000

function mayCallCached(text: string, mode: Mode, rule: AddressRule): boolean {
  const verdictsOfRule = verdicts.get(rule) ?? new LRUCache<string, boolean>({ max: verdictsMax })
  verdicts.set(rule, verdictsOfRule)
  const key = `${mode} ${text}`
  const found = verdictsOfRule.get(key) ?? mayCall(text, mode, rule)
  verdictsOfRule.set(key, found)
  return found
}

/** The address to connect to now, or the reason why there is none. */
export async function resolveAddress(
  url: URL,
  mode: Mode,
  rule: AddressRule,
): Promise<AddressVerdict> {
  const host = withoutBrackets(url.hostname)
  const found = isIP(host) !== 0 ? [host] : await rule.resolve(host).catch(() => [])
  const [first] = found
  if (first === undefined) return { refused: 'dns_failure' }
  if (!found.every(address => mayCallCached(address, mode, rule))) {
    return { refused: 'blocked_address' }
  }
  return { address: first }
}

/**
 * What is wrong with a URL that is to be registered, or null. A name that does not resolve yet is
 * accepted: it is resolved and checked again before every attempt.
 */
export async function vetUrl(text: string, mode: Mode, rule: AddressRule): Promise<string | null> {
  const fault = faultOfWebhookUrl(text)
  if (fault !== null) return fault
  const verdict = await resolveAddress(new URL(text), mode, rule)
  const isBlocked = 'refused' in verdict && verdict.refused === 'blocked_address'
  return isBlocked ? 'url must not resolve to a private address.' : null
}
