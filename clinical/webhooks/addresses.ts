// Webhooks may go to public addresses, and in test mode also to private addresses that the operator
// allowed (http/outgoing/addresses.ts).

import type { Mode } from '#contract/operation.ts'
import {
  type AddressRule,
  type AddressVerdict,
  resolveAddress as resolveBy,
} from '#http/outgoing/addresses.ts'
import { reachesAllowedAddresses } from '../modes.ts'
import { faultOfWebhookUrl } from '../pipeline/webhook-url.ts'

/** The version of each rule for live mode, which has no addresses that are allowed only in test
 *  mode. */
const publicOnly = new WeakMap<AddressRule, AddressRule>()

function ruleOf(mode: Mode, rule: AddressRule): AddressRule {
  if (reachesAllowedAddresses(mode)) return rule
  const strict = publicOnly.get(rule) ?? { ...rule, allowed: rule.allowedInLive ?? [] }
  publicOnly.set(rule, strict)
  return strict
}

/** Returns the address to connect to now, or why there's none. */
export const resolveAddress = (url: URL, mode: Mode, rule: AddressRule): Promise<AddressVerdict> =>
  resolveBy(url, ruleOf(mode, rule))

/** Returns what's wrong with a URL to be registered, or null. A name that doesn't resolve yet is
 *  accepted: it's resolved and checked again before every attempt. */
export async function vetUrl(text: string, mode: Mode, rule: AddressRule): Promise<string | null> {
  const fault = faultOfWebhookUrl(text)
  if (fault !== null) return fault
  const verdict = await resolveAddress(new URL(text), mode, rule)
  const isBlocked = 'refused' in verdict && verdict.refused === 'blocked_address'
  return isBlocked ? 'url must not resolve to a private address.' : null
}
