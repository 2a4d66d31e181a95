// Generated from the contract by clients/generate/generate.ts; do not edit.

export type InvoiceStatus = 'open' | 'paid' | 'void' | 'uncollectible' | (string & {})

export type ChargeStatus = 'pending' | 'invoiced' | (string & {})

/** Totals of the charge ledger over a time window, by kind. */
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
  /** Charges minus reversals. */
  count: number
  /** Minor units, reversals subtracted. */
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

/** One month of charges. Live mode only. */
export interface Invoice {
  id: string
  /** Unique and readable by people. */
  number: string
  status: InvoiceStatus
  /** Inclusive. */
  period_start: string
  /** Exclusive. */
  period_end: string
  /** ISO 4217. */
  currency: string
  /** Minor units: the sum of its charges. Below zero, it pays later invoices. */
  total: number
  /** Minor units still owed, never negative. */
  amount_due: number
  /** Minor units, with what earlier invoices below zero left. */
  amount_paid: number
  issued_at: string
  /** 30 days after issued_at. */
  due_at: string
  paid_at: string | null
  created_at: string
  /** Only when one invoice is read, not in the list. */
  charges?: Charge[]
}

/** One entry of the charge ledger. Entries never change. */
export interface Charge {
  id: string
  /** More kinds may be added. */
  kind: 'video_visit' | (string & {})
  status: ChargeStatus
  /** What the charge is for. */
  resource: ChargeResource
  /** Minor units; negative on a reversal. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** The charge that it reverses. */
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
  /** The id of the last item you received. It works even after that item was deleted. */
  starting_after?: string
}
