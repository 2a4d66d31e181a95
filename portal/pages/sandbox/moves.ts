// The actions that a sandbox case or visit allows in its status, with their fields. Statuses come
// from the contract, so a page offers only actions that the API accepts.
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

/** A field of a move. Names are unique to the move, because one page contains them all. */
type MoveField = {
  readonly name: string
  readonly label: string
  readonly kind: 'line' | 'text' | 'choice'
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly value?: string
  readonly isOptional?: boolean
  /** The body's field, by the last part of an error's pointer. */
  readonly member: string
}

export type CaseMove = {
  readonly operation: OperationId
  readonly label: string
  /** The toast shown afterward. */
  readonly done: string
  /** The actor who makes this move outside the sandbox. */
  readonly actor: 'clinician' | 'pharmacy' | 'software'
  readonly fields: readonly MoveField[]
  /** The likely next step gets the primary button. */
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
    done: 'Case approved',
    isUsual: true,
    fields: [],
    body: (): Omit<Input<'decideCase'>, 'id'> => ({ decision: 'approve' }),
  },
  decline: {
    ...decide,
    label: 'Decline',
    done: 'Case declined',
    fields: [reason('decline_reason')],
    body: text => ({ decision: 'decline', reason: text('decline_reason') }),
  },
  ask: {
    ...decide,
    label: 'Ask for information',
    done: 'Question sent',
    fields: [
      {
        name: 'target',
        label: 'Ask',
        kind: 'choice',
        member: 'target',
        options: [
          ['patient', 'Patient'],
          ['integration', 'Your company'],
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
    label: 'Message patient',
    done: 'Message sent',
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
    done: 'Order shipped',
    actor: 'pharmacy',
    isUsual: true,
    fields: [
      {
        name: 'carrier',
        label: 'Carrier',
        kind: 'choice',
        member: 'carrier',
        options: carriers.map(one => [one, one === 'other' ? 'Other' : one.toUpperCase()] as const),
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
    done: 'Order delivered',
    actor: 'pharmacy',
    isUsual: true,
    fields: [],
    allows: orderIn(orderTransitions.deliver),
    body: nothing,
  },
  block: {
    operation: 'blockCase',
    label: 'Block order',
    done: 'Order blocked',
    actor: 'pharmacy',
    fields: [reason('block_reason')],
    allows: orderIn(orderTransitions.block),
    body: text => ({ reason: text('block_reason') }),
  },
  fail: {
    operation: 'failCase',
    label: 'Fail order',
    done: 'Order failed',
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
    done: 'Case released',
    actor: 'software',
    isUsual: true,
    fields: [],
    allows: caseIn(caseTransitions.release),
    body: nothing,
  },
  answer: {
    operation: 'answerCase',
    label: 'Answer',
    done: 'Answer sent',
    actor: 'software',
    isUsual: true,
    fields: [{ name: 'answer', label: 'Answer', kind: 'text', member: 'answer' }],
    allows: caseIn(caseTransitions.answer),
    body: text => ({ answers: [{ answer: text('answer') }] }),
  },
  cancel: {
    operation: 'cancelCase',
    label: 'Cancel case',
    done: 'Case canceled',
    actor: 'software',
    fields: [reason('cancel_reason', true)],
    allows: caseIn(caseTransitions.cancel),
    body: text => ({ reason: orNull(text('cancel_reason')) }),
  },
  withdraw: {
    operation: 'withdrawCase',
    label: 'Withdraw case',
    done: 'Case withdrawn',
    actor: 'software',
    fields: [reason('withdraw_reason', true)],
    allows: caseIn(caseTransitions.withdraw),
    body: text => ({ reason: orNull(text('withdraw_reason')) }),
  },
}

/** Moves by the value of the form's `move` field. */
export const caseMoves: Readonly<Record<string, CaseMove>> = {
  ...decisions,
  ...dispatches,
  ...requests,
}

export const possibleMoves = (one: ListedCase): [name: string, move: CaseMove][] =>
  Object.entries(caseMoves).filter(([, { allows }]) => allows(one))

/** The likely next move, if it needs no typing. An open question is answered first. */
export function usualMove(one: ListedCase) {
  const usual = possibleMoves(one).findLast(([, { isUsual }]) => isUsual)
  const isTyped = usual?.[1].fields.some(({ isOptional, options }) => !isOptional && !options)
  return isTyped === true ? undefined : usual
}

export const visitMoves = {
  start: {
    operation: 'startVisit',
    label: 'Start',
    done: 'Visit started',
    ...visitTransitions.start,
  },
  complete: {
    operation: 'completeVisit',
    label: 'Complete',
    done: 'Visit completed',
    ...visitTransitions.complete,
  },
  miss: {
    operation: 'noShowVisit',
    label: 'Mark no-show',
    done: 'Visit marked as no-show',
    ...visitTransitions.miss,
  },
} as const

export type VisitMove = keyof typeof visitMoves
const visitMoveNames = Object.keys(visitMoves) as VisitMove[]

export const possibleVisitMoves = ({ status }: SandboxVisit): VisitMove[] =>
  visitMoveNames.filter(name => (visitMoves[name].from as readonly string[]).includes(status))
