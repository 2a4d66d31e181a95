// An order's published form, and which of its states lead where (contract/03, section 3).

import type { orderStatuses } from '#contract/states.ts'
import { sql } from '#database/sql.ts'

export type OrderStatus = (typeof orderStatuses)[number]

export const transitions = {
  ship: { from: ['created', 'at_pharmacy', 'blocked'], to: 'shipped' },
  deliver: { from: ['shipped'], to: 'delivered' },
  block: { from: ['created', 'at_pharmacy'], to: 'blocked' },
  fail: { from: ['created', 'at_pharmacy', 'blocked', 'shipped'], to: 'failed' },
} as const satisfies Record<string, { from: readonly OrderStatus[]; to: OrderStatus }>

export const orderColumns = sql`
  id, "case", patient, prescription, status, medication_id, quantity, ship_to, tracking, reason,
  iso(shipped_at) as shipped_at, iso(delivered_at) as delivered_at,
  iso(created_at) as created_at, iso(updated_at) as updated_at`
