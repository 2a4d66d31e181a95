// Generated from the contract by clients/generate/generate.ts; do not edit.

export type InvoiceStatus = 'open' | 'paid' | 'void' | 'uncollectible'

export type ChargeStatus = 'pending' | 'invoiced'

/** Charge totals for a time window, by kind. */
export interface Usage {
  /** Inclusive. */
  from: string
  /** Exclusive. */
  to: string
  /** One entry per kind and currency, ordered by kind. Empty in test mode. */
  data: UsageTotal[]
}

export interface UsageTotal {
  /** More kinds may be added. */
  kind: 'video_visit' | (string & {})
  /** Number of charges minus reversals. */
  count: number
  /** In minor units, net of reversals. */
  amount: number
  /** ISO 4217. */
  currency: string
}

export interface UsageGetParams {
  /** Inclusive. Default: the first of the current month, UTC. */
  from?: string
  /** Exclusive, after from. Default: now. */
  to?: string
}

/** A month's charges. Live mode only. */
export interface Invoice {
  id: string
  /** A unique, human-readable number. */
  number: string
  status: InvoiceStatus
  /** Inclusive. */
  period_start: string
  /** Exclusive. */
  period_end: string
  /** ISO 4217. */
  currency: string
  /** The sum of its charges, in minor units. If negative, it pays later invoices. */
  total: number
  /** The amount still owed, in minor units. Never negative. */
  amount_due: number
  /** The amount paid, in minor units, including credit from earlier negative invoices. */
  amount_paid: number
  issued_at: string
  /** 30 days after issued_at. */
  due_at: string
  paid_at: string | null
  created_at: string
  /** Present when you read a single invoice, not in lists. */
  charges?: Charge[]
}

/** An entry in the charge ledger. Entries never change. */
export interface Charge {
  id: string
  /** More kinds may be added. */
  kind: 'video_visit' | (string & {})
  status: ChargeStatus
  /** The resource the charge is for. */
  resource: ChargeResource
  /** In minor units. Negative for a reversal. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** The charge this one reverses. */
  reverses: string | null
  invoice: string | null
  created_at: string
}

export interface ChargeResource {
  type: string
  id: string
}

export interface InvoiceListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
