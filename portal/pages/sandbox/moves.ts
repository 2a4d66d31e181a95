// What can be done with a case or a visit of the sandbox in its state, and with which fields. The
// states come from the contract, so a page offers what the API would not refuse.
import type { Input, OperationId } from '#contract/api.ts'
import {
  caseTransitions,
  orderTransitions,
  type Transition,
  visitTransitions,
} from '#contract/states.ts'
import type { ApiResult } from '../../context.ts'

type ValueOf<T> = T extends { value: infer V } ? V : never
export type SandboxCase = ValueOf<ApiResult<'getSandboxCase'>>
export type ListedCase = ValueOf<ApiResult<'listSandboxCases'>>['data'][number]
export type SandboxVisit = ValueOf<ApiResult<'listSandboxVisits'>>['data'][number]

/** An input of a move. Names are of the move, because a page has the fields of all its moves. */
type MoveField = {
  readonly name: string
  readonly label: string
  readonly kind: 'line' | 'text' | 'choice'
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly value?: string
  readonly isOptional?: boolean
  /** The member of the body, by the last name of a fault's pointer. */
  readonly member: string
}

export type CaseMove = {
  readonly operation: OperationId
  readonly label: string
  /** Who does it outside the sandbox. */
  readonly actor: 'clinician' | 'pharmacy' | 'software'
  readonly fields: readonly MoveField[]
  /** What makes sense next gets the strongest button. */
  readonly isUsual?: boolean
  readonly allows: (one: ListedCase) => boolean
  body(text: (name: string) => string): unknown
}

const caseIn =
  ({ from }: Transition<string>) =>
  ({ status }: ListedCase) =>
    from.includes(status)
const orderIn =
  ({ from }: Transition<string>) =>
  ({ orders }: ListedCase) =>
    orders.some(({ status }) => from.includes(status))

const reason = (name: string, isOptional = false): MoveField => ({
  name,
  label: 'Reason',
  kind: 'text',
  member: 'reason',
  isOptional,
})
const orNull = (text: string) => (text === '' ? null : text)
const nothing = () => undefined

const decide = {
  operation: 'decideCase',
  actor: 'clinician',
  allows: caseIn(caseTransitions.decide),
} as const

const decisions: Readonly<Record<string, CaseMove>> = {
  approve: {
    ...decide,
    label: 'Approve',
    isUsual: true,
    fields: [],
    body: (): Omit<Input<'decideCase'>, 'id'> => ({ decision: 'approve' }),
  },
  decline: {
    ...decide,
    label: 'Decline',
    fields: [reason('decline_reason')],
    body: text => ({ decision: 'decline', reason: text('decline_reason') }),
  },
  ask: {
    ...decide,
    label: 'Ask for more',
    fields: [
      {
        name: 'target',
        label: 'Whom',
        kind: 'choice',
        member: 'target',
        options: [
          ['patient', 'The patient'],
          ['integration', 'Your integration'],
        ],
      },
      { name: 'question', label: 'Question', kind: 'text', member: 'question' },
    ],
    body: text => ({
      decision: 'needs_info',
      target: text('target'),
      question: text('question'),
    }),
  },
  message: {
    operation: 'sendClinicianMessage',
    label: 'Write to the patient',
    actor: 'clinician',
    fields: [{ name: 'message', label: 'Message', kind: 'text', member: 'body' }],
    allows: caseIn(caseTransitions.converse),
    body: text => ({ body: text('message') }),
  },
}

const carriers = ['ups', 'usps', 'fedex', 'dhl', 'other'] as const

const dispatches: Readonly<Record<string, CaseMove>> = {
  ship: {
    operation: 'shipCase',
    label: 'Ship',
    actor: 'pharmacy',
    isUsual: true,
    fields: [
      {
        name: 'carrier',
        label: 'Carrier',
        kind: 'choice',
        member: 'carrier',
        options: carriers.map(one => [one, one === 'other' ? one : one.toUpperCase()] as const),
      },
      {
        name: 'tracking',
        label: 'Tracking number',
        kind: 'line',
        member: 'number',
        value: '1Z999AA10123456784',
        isOptional: true,
      },
    ],
    allows: orderIn(orderTransitions.ship),
    body: text => ({
      tracking:
        text('tracking') === '' ? null : { carrier: text('carrier'), number: text('tracking') },
    }),
  },
  deliver: {
    operation: 'deliverCase',
    label: 'Deliver',
    actor: 'pharmacy',
    isUsual: true,
    fields: [],
    allows: orderIn(orderTransitions.deliver),
    body: nothing,
  },
  block: {
    operation: 'blockCase',
    label: 'Block',
    actor: 'pharmacy',
    fields: [reason('block_reason')],
    allows: orderIn(orderTransitions.block),
    body: text => ({ reason: text('block_reason') }),
  },
  fail: {
    operation: 'failCase',
    label: 'Fail',
    actor: 'pharmacy',
    fields: [],
    allows: orderIn(orderTransitions.fail),
    body: nothing,
  },
}

const requests: Readonly<Record<string, CaseMove>> = {
  release: {
    operation: 'releaseCase',
    label: 'Release',
    actor: 'software',
    isUsual: true,
    fields: [],
    allows: caseIn(caseTransitions.release),
    body: nothing,
  },
  answer: {
    operation: 'answerCase',
    label: 'Answer',
    actor: 'software',
    isUsual: true,
    fields: [{ name: 'answer', label: 'Answer', kind: 'text', member: 'answer' }],
    allows: caseIn(caseTransitions.answer),
    body: text => ({ answers: [{ answer: text('answer') }] }),
  },
  cancel: {
    operation: 'cancelCase',
    label: 'Cancel',
    actor: 'software',
    fields: [reason('cancel_reason', true)],
    allows: caseIn(caseTransitions.cancel),
    body: text => ({ reason: orNull(text('cancel_reason')) }),
  },
  withdraw: {
    operation: 'withdrawCase',
    label: 'Withdraw',
    actor: 'software',
    fields: [reason('withdraw_reason', true)],
    allows: caseIn(caseTransitions.withdraw),
    body: text => ({ reason: orNull(text('withdraw_reason')) }),
  },
}

/** By the value of the field `move` of its form. */
export const caseMoves: Readonly<Record<string, CaseMove>> = {
  ...decisions,
  ...dispatches,
  ...requests,
}

export const possibleMoves = (one: ListedCase): [name: string, move: CaseMove][] =>
  Object.entries(caseMoves).filter(([, { allows }]) => allows(one))

/** The one that makes sense next, where nothing has to be typed for it. An open question is
 *  answered before anything else. */
export function usualMove(one: ListedCase) {
  const usual = possibleMoves(one).findLast(([, { isUsual }]) => isUsual)
  const isTyped = usual?.[1].fields.some(({ isOptional, options }) => !isOptional && !options)
  return isTyped === true ? undefined : usual
}

export const visitMoves = {
  start: { operation: 'startVisit', label: 'Start', ...visitTransitions.start },
  complete: { operation: 'completeVisit', label: 'Complete', ...visitTransitions.complete },
  miss: { operation: 'noShowVisit', label: 'No-show', ...visitTransitions.miss },
} as const

export type VisitMove = keyof typeof visitMoves
const visitMoveNames = Object.keys(visitMoves) as VisitMove[]

export const possibleVisitMoves = ({ status }: SandboxVisit): VisitMove[] =>
  visitMoveNames.filter(name => (visitMoves[name].from as readonly string[]).includes(status))
