// A model of a case, its order and its patient, written from a case's published lifecycle rather
// than from the program, so tests can compare the two.

export type CaseState = {
  readonly patient: 'active' | 'deleted'
  readonly status: string
  /** The status of the order an approval creates, and of its prescription; null before. */
  readonly order: string | null
  readonly prescription: string | null
}

export const actions = [
  'release',
  'cancel',
  'withdraw',
  'answer',
  'approve',
  'decline',
  'ask_patient',
  'ask_integration',
  'message',
  'clinician_message',
  'ship',
  'deliver',
  'block',
  'fail',
  'delete_patient',
] as const
export type Action = (typeof actions)[number]

/** A refusal changes nothing, so it has no new state. */
export type Step =
  | { readonly refused: string }
  | { readonly state: CaseState; readonly events: string[] }

const refusal = (code = 'invalid_transition'): Step => ({ refused: code })
const waiting = ['waiting_on_patient', 'waiting_on_integration']
const open = new Set(['received', 'queued', 'in_review', ...waiting])

const transition = (state: CaseState, status: string, ...events: string[]): Step => ({
  state: { ...state, status },
  events,
})

/** A decision first moves the case to in_review, unless it's already there. */
const reviewEvents = (state: CaseState) =>
  state.status === 'in_review' ? [] : ['case.in_review.v1']

function decide(state: CaseState, action: Action): Step {
  if (!['queued', 'in_review', ...waiting].includes(state.status)) return refusal()
  const first = reviewEvents(state)
  if (action === 'decline') return transition(state, 'declined', ...first, 'case.declined.v1')
  if (action === 'approve') {
    return {
      state: { ...state, status: 'approved', order: 'created', prescription: 'active' },
      events: [...first, 'case.approved.v1', 'prescription.created.v1', 'order.created.v1'],
    }
  }
  const to = action === 'ask_patient' ? 'waiting_on_patient' : 'waiting_on_integration'
  return transition(state, to, ...first, `case.${to}.v1`, 'case.question_asked.v1')
}

function pharmacy(state: CaseState, action: Action): Step {
  const { order, prescription } = state
  const from: Partial<Record<Action, string[]>> = {
    ship: ['created', 'blocked'],
    deliver: ['shipped'],
    block: ['created'],
    fail: ['created', 'blocked', 'shipped'],
  }
  if (order === null || !from[action]?.includes(order)) return refusal()
  const changes = prescription === 'active' ? ['prescription.updated.v1'] : []
  switch (action) {
    case 'ship':
      return {
        state: { ...state, order: 'shipped', prescription: 'filled' },
        events: ['order.at_pharmacy.v1', 'order.shipped.v1', ...changes],
      }
    case 'fail':
      return {
        state: {
          ...state,
          order: 'failed',
          prescription: prescription === 'active' ? 'cancelled' : prescription,
        },
        events: ['order.failed.v1', ...changes],
      }
    default: {
      const to = action === 'deliver' ? 'delivered' : 'blocked'
      return { state: { ...state, order: to }, events: [`order.${to}.v1`] }
    }
  }
}

/** Returns the expected result of a call in a state. */
export function step(state: CaseState, action: Action): Step {
  const { status } = state
  switch (action) {
    case 'release':
      return status === 'received' ? transition(state, 'queued', 'case.queued.v1') : refusal()
    case 'cancel':
      return ['received', 'queued', ...waiting].includes(status)
        ? transition(state, 'cancelled', 'case.cancelled.v1')
        : refusal()
    case 'withdraw':
      return open.has(status) ? transition(state, 'withdrawn', 'case.withdrawn.v1') : refusal()
    case 'answer':
      return waiting.includes(status)
        ? transition(state, 'in_review', 'case.in_review.v1', 'case.message_created.v1')
        : refusal()
    case 'message':
    case 'clinician_message':
      return ['cancelled', 'withdrawn'].includes(status)
        ? refusal()
        : transition(state, status, 'case.message_created.v1')
    case 'delete_patient': {
      if (state.patient === 'deleted') return refusal('not_found')
      const deleted: CaseState = { ...state, patient: 'deleted' }
      return open.has(status)
        ? transition(deleted, 'withdrawn', 'case.withdrawn.v1', 'patient.deleted.v1')
        : { state: deleted, events: ['patient.deleted.v1'] }
    }
    case 'ship':
    case 'deliver':
    case 'block':
    case 'fail':
      return pharmacy(state, action)
    default:
      return decide(state, action)
  }
}
