// The statuses of cases, orders, visits, charges and invoices, in their usual order. Case and order
// events are named after the status they announce.

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

/** Groups of case statuses in charts, from the bottom. */
export const caseGroups = {
  approved: ['approved'],
  open: ['received', 'queued', 'in_review'],
  waiting: ['waiting_on_patient', 'waiting_on_integration'],
  declined: ['declined'],
  ended: ['cancelled', 'withdrawn'],
} as const

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

/** An operation's effect on a status: the statuses that allow it, and the new status. Null keeps
 *  the status. `ends` lists the final statuses if `to` is only a step. */
export type Transition<Status extends string> = {
  readonly by: string
  readonly from: readonly Status[]
  readonly to: Status | null
  readonly ends?: readonly Status[]
  /** The refusal's detail in every other status. */
  readonly says?: string
}

type Transitions<Status extends string> = Readonly<Record<string, Transition<Status>>>

const waiting = ['waiting_on_patient', 'waiting_on_integration'] as const

/** The statuses of a case that isn't decided, canceled or withdrawn. */
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
    says: 'A clinician can decide a case only while it is queued, in review or waiting for an answer.',
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

/** A pharmacy's actions: the sandbox's transitions, and unblocking an order. */
export const pharmacyTransitions = {
  ...orderTransitions,
  unblock: { by: 'unblockOrder', from: ['blocked'], to: 'at_pharmacy' },
} as const satisfies Transitions<(typeof orderStatuses)[number]>

/** A connected pharmacy (contract/pharmacy/protocol.ts) can also accept an order. */
export const connectedTransitions = {
  ...pharmacyTransitions,
  accept: { by: 'order.at_pharmacy', from: ['created', 'blocked'], to: 'at_pharmacy' },
} as const satisfies Transitions<(typeof orderStatuses)[number]>

export const visitTransitions = {
  reschedule: {
    by: 'rescheduleVisit',
    from: ['scheduled'],
    to: 'scheduled',
    says: 'Only a scheduled visit can be rescheduled.',
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

/** Each resource's state machine, for the diagrams in the docs. */
export const machines: Readonly<
  Record<string, { readonly states: readonly string[]; readonly transitions: Transitions<string> }>
> = {
  Case: { states: caseStatuses, transitions: caseTransitions },
  Order: { states: orderStatuses, transitions: orderTransitions },
  Visit: { states: visitStatuses, transitions: visitTransitions },
}
