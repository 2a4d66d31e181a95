// The rules for requests to addresses that others name.
import { readFileSync } from 'node:fs'
import { pharmacyLimits } from '#contract/pharmacy/protocol.ts'
import { type AddressRule, resolveBySystem } from '#http/outgoing/addresses.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import type { Config } from '../settings/config.ts'

export const addressesOf = ({ webhookAllow }: Pick<Config, 'webhookAllow'>): AddressRule => ({
  resolve: resolveBySystem,
  allowed: webhookAllow,
})

/** `seconds`: the limit of a whole request. */
export const outgoingOf = (
  { webhookAllow, webhookCa }: Pick<Config, 'webhookAllow' | 'webhookCa'>,
  seconds: number,
): Outgoing => ({
  seconds,
  addresses: addressesOf({ webhookAllow }),
  ca: webhookCa === undefined ? undefined : readFileSync(webhookCa, 'utf8'),
})

/** A pharmacy is live mode: its address is public, whatever the operator allowed for test mode. */
export const pharmaciesOf = (config: Pick<Config, 'webhookCa'>): Outgoing =>
  outgoingOf({ ...config, webhookAllow: [] }, pharmacyLimits.attemptSeconds)
