// The states of cases, orders, visits, charges and invoices, in their usual order. An event of a
// case or an order is named after the state that it announces.

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

/**
 * What one operation does to a status: the states from which it is allowed, and the one that it
 * leads to; null keeps the state. `ends` are the final states when it passes through `to`.
 */
export type Transition<Status extends string> = {
  readonly by: string
  readonly from: readonly Status[]
  readonly to: Status | null
  readonly ends?: readonly Status[]
  /** The detail of the refusal from every other state. */
  readonly says?: string
}

type Transitions<Status extends string> = Readonly<Record<string, Transition<Status>>>

const waiting = ['waiting_on_patient', 'waiting_on_integration'] as const

/** The states in which a case is not decided, canceled or withdrawn. */
export const openCaseStatuses = ['received', 'queued', 'in_review', ...waiting] as const

export const caseTransitions = {
  release: {
    by: 'releaseCase',
    from: ['received'],
    to: 'queued',
    says: 'Only a held case can be released.',
  },
  cancel: {
    by: 'cancelCase',
    from: ['received', 'queued', ...waiting],
    to: 'cancelled',
    says: 'A case can be canceled before a clinician reviews it, or while it waits for an answer.',
  },
  withdraw: {
    by: 'withdrawCase',
    from: openCaseStatuses,
    to: 'withdrawn',
    says: 'Only an open case can be withdrawn.',
  },
  answer: {
    by: 'answerCase',
    from: waiting,
    to: 'in_review',
    says: 'Only a case with an open question can be answered.',
  },
  decide: {
    by: 'decideCase',
    from: ['queued', 'in_review', ...waiting],
    to: 'in_review',
    ends: ['approved', 'declined', ...waiting],
    says: 'A clinician can decide only a case that is queued, in review or waiting for an answer.',
  },
  converse: {
    by: 'createMessage',
    from: [...openCaseStatuses, 'approved', 'declined'],
    to: null,
    says: 'The thread of a canceled or withdrawn case is closed.',
  },
} as const satisfies Transitions<(typeof caseStatuses)[number]>

export const orderTransitions = {
  ship: { by: 'shipCase', from: ['created', 'at_pharmacy', 'blocked'], to: 'shipped' },
  deliver: { by: 'deliverCase', from: ['shipped'], to: 'delivered' },
  block: { by: 'blockCase', from: ['created', 'at_pharmacy'], to: 'blocked' },
  fail: {
    by: 'failCase',
    from: ['created', 'at_pharmacy', 'blocked', 'shipped'],
    to: 'failed',
  },
} as const satisfies Transitions<(typeof orderStatuses)[number]>

/** What a pharmacy does: the moves of the sandbox, and taking an order up again. */
export const pharmacyTransitions = {
  ...orderTransitions,
  unblock: { by: 'unblockOrder', from: ['blocked'], to: 'at_pharmacy' },
} as const satisfies Transitions<(typeof orderStatuses)[number]>

/** What a connected pharmacy says (contract/pharmacy/protocol.ts): it also accepts an order. */
export const connectedTransitions = {
  ...pharmacyTransitions,
  accept: { by: 'order.at_pharmacy', from: ['created', 'blocked'], to: 'at_pharmacy' },
} as const satisfies Transitions<(typeof orderStatuses)[number]>

export const visitTransitions = {
  reschedule: {
    by: 'rescheduleVisit',
    from: ['scheduled'],
    to: 'scheduled',
    says: 'Only a scheduled visit can be moved to another start.',
  },
  cancel: {
    by: 'cancelVisit',
    from: ['scheduled'],
    to: 'cancelled',
    says: 'Only a scheduled visit can be canceled.',
  },
  start: {
    by: 'startVisit',
    from: ['scheduled'],
    to: 'started',
    says: 'Only a scheduled visit can be started.',
  },
  complete: {
    by: 'completeVisit',
    from: ['started'],
    to: 'completed',
    says: 'Only a started visit can be completed.',
  },
  miss: {
    by: 'noShowVisit',
    from: ['scheduled'],
    to: 'no_show',
    says: 'Only a scheduled visit can be marked as a no-show.',
  },
  join: {
    by: 'getJoinLink',
    from: ['scheduled', 'started'],
    to: null,
    says: 'Only a scheduled or started visit can be joined.',
  },
} as const satisfies Transitions<(typeof visitStatuses)[number]>

/** The state machine of each resource, for the diagrams of the documentation. */
export const machines: Readonly<
  Record<string, { readonly states: readonly string[]; readonly transitions: Transitions<string> }>
> = {
  Case: { states: caseStatuses, transitions: caseTransitions },
  Order: { states: orderStatuses, transitions: orderTransitions },
  Visit: { states: visitStatuses, transitions: visitTransitions },
}
