// An order as the API returns it. contract/states.ts lists its transitions.

import type { orderStatuses } from '#contract/states.ts'
import { sql } from '#database/sql.ts'

export type OrderStatus = (typeof orderStatuses)[number]

export const orderColumns = sql`
  id, "case", patient, prescription, status, medication_id, quantity, ship_to, tracking, reason,
  iso(shipped_at) as shipped_at, iso(delivered_at) as delivered_at,
  iso(created_at) as created_at, iso(updated_at) as updated_at`
