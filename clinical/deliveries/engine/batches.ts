// Groups claimed deliveries into attempts. An https endpoint gets one request per delivery, a
// destination one request per batch, and a store one object per hour.

import { batchMax } from '../../destinations/destination.ts'
import { hourOf } from '../../destinations/protocols/aws.ts'
import { claimsMax } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

export function batchesOf(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const batches: ClaimedDelivery[][] = []
  const open = new Map<string, ClaimedDelivery[]>()
  for (const one of claimed) {
    // Deliveries that may have crashed workers are sent alone (poison-guard.ts).
    if (one.url === null || one.kind === 'https' || one.claims >= claimsMax) {
      batches.push([one])
      continue
    }
    const hour = one.kind === 's3' ? hourOf(one.event) : ''
    const key = `${one.own} ${one.webhook_endpoint} ${hour}`
    const last = open.get(key)
    if (last !== undefined && last.length < batchMax[one.kind]) {
      last.push(one)
      continue
    }
    const next = [one]
    open.set(key, next)
    batches.push(next)
  }
  return batches
}
