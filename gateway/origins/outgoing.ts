// Rules for requests to URLs that others configure.
import { readFileSync } from 'node:fs'
import { pharmacyLimits } from '#contract/pharmacy/protocol.ts'
import { type AddressRule, resolveBySystem } from '#http/outgoing/addresses.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import type { Config } from '../settings/config.ts'

export const addressesOf = ({ webhookAllow }: Pick<Config, 'webhookAllow'>): AddressRule => ({
  resolve: resolveBySystem,
  allowed: webhookAllow,
})

/** `seconds`: the time limit for a whole request. */
export const outgoingOf = (
  { webhookAllow, webhookCa }: Pick<Config, 'webhookAllow' | 'webhookCa'>,
  seconds: number,
): Outgoing => ({
  seconds,
  addresses: addressesOf({ webhookAllow }),
  ca: webhookCa === undefined ? undefined : readFileSync(webhookCa, 'utf8'),
})

/** Pharmacies exist only in live mode, so their addresses must be public, even if test mode allows
 *  others. */
export const pharmaciesOf = (config: Pick<Config, 'webhookCa'>): Outgoing =>
  outgoingOf({ ...config, webhookAllow: [] }, pharmacyLimits.attemptSeconds)
