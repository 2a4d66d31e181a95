// The states of what moves, in the order of a life. A case's event is named for the state that it
// announces, and so is an order's.

export const caseStatuses = [
  'received',
  'queued',
  'in_review',
  'waiting_on_patient',
  'waiting_on_integration',
  'approved',
  'declined',
  'cancelled',
  'withdrawn',
] as const

export const orderStatuses = [
  'created',
  'at_pharmacy',
  'shipped',
  'delivered',
  'blocked',
  'failed',
] as const

export const visitStatuses = ['scheduled', 'started', 'completed', 'cancelled', 'no_show'] as const

export const chargeStatuses = ['pending', 'invoiced'] as const
export const invoiceStatuses = ['open', 'paid', 'void', 'uncollectible'] as const
