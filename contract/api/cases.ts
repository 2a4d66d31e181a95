// Cases: the medications requested, the patient's answers, the clinician's decision.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, idOf, listOf, moment, named, nullable, oneOf, text, whole } from '../shapes.ts'
import { caseStatuses } from '../states.ts'
import { page } from './answers.ts'
import { Event } from './events.ts'

const line = {
  medication_id: idOf('medication', { description: 'From GET /v1/medications.' }),
  quantity: whole(1, 1000, { description: "1 to the entry's max_quantity." }),
  refills: whole(0, limits.refillsMax),
  days_supply: whole(1, limits.daysSupplyMax),
  directions: text(1, 500),
}

/** A line in a request. Omitted fields take their values from the catalog. */
const lineInput = {
  medication_id: line.medication_id,
  quantity: Type.Optional(line.quantity),
  refills: Type.Optional(whole(0, limits.refillsMax, { default: 0 })),
  days_supply: Type.Optional(line.days_supply),
  directions: Type.Optional(line.directions),
}

export const RequestedMedication = named('RequestedMedication', 'One requested medication.', line)

export const PlanLine = named(
  'PlanLine',
  "One line of the clinician's plan. It may differ from what was requested.",
  {
    ...line,
    dispensable: Type.Boolean({
      description: 'If false, the line is recorded but never filled: no prescription and no order.',
    }),
  },
)

/** A plan line in a sandbox request. */
export const PlanLineInput = closed({ ...lineInput, dispensable: Type.Optional(Type.Boolean()) })

const answer = {
  id: text(1, 100, {
    description: "Your ID for the question. An answer to a clinician has the question's msg_ ID.",
  }),
  question: text(1, 1000, { description: 'The question as the patient saw it.' }),
  answer: text(0, 5000),
  type: oneOf(['string', 'number', 'boolean', 'date'], {
    description: 'How to read answer, which is always a string.',
  }),
}

export const Answer = named('Answer', 'One intake answer.', answer)

const answerType = Type.Optional(
  oneOf(['string', 'number', 'boolean', 'date'], { default: 'string' }),
)

export const Case = named('Case', 'A consult.', {
  id: idOf('case'),
  patient: idOf('patient'),
  status: oneOf(caseStatuses),
  consent_ids: Type.Array(idOf('consent'), {
    minItems: limits.consentIdsMin,
    maxItems: limits.consentIdsMax,
    uniqueItems: true,
  }),
  requested_medications: Type.Array(RequestedMedication, {
    minItems: 1,
    maxItems: limits.medicationsMax,
  }),
  answers: Type.Array(Answer, {
    maxItems: limits.answersMax,
    description: 'Intake answers, then answers to the clinician, in order.',
  }),
  hold: Type.Boolean({
    description: 'The value when the case was filed. See status for whether it is still held.',
  }),
  files: Type.Array(idOf('file'), { maxItems: limits.filesMax }),
  plan: nullable(
    Type.Array(PlanLine, {
      minItems: 1,
      maxItems: limits.planLinesMax,
      description: 'Set when the case is approved.',
    }),
  ),
  question: nullable(
    Type.Object(
      {
        message: idOf('message'),
        target: oneOf(['patient', 'integration']),
        body: text(1, 2000),
        asked_at: moment(),
      },
      { description: 'The open question, or null.' },
    ),
  ),
  reason: nullable(
    text(1, 2000, {
      description:
        "Why the case was declined, canceled or withdrawn. A decline's reason is safe to show the patient.",
    }),
  ),
  prescription_ids: Type.Array(idOf('prescription')),
  order_ids: Type.Array(idOf('order')),
  created_at: moment(),
  updated_at: moment(),
})

const CaseCreate = closed({
  patient: idOf('patient'),
  consent_ids: Type.Optional(
    Type.Array(idOf('consent'), {
      maxItems: limits.consentIdsMax,
      uniqueItems: true,
      default: [],
      description:
        "The patient's current telehealth and privacy consents. Optional in the schema only: a case " +
        'without both is refused with 422 `consent_required`.',
    }),
  ),
  requested_medications: Type.Array(closed(lineInput), {
    minItems: 1,
    maxItems: limits.medicationsMax,
    description: 'No medication more than once. Omitted values come from the catalog.',
  }),
  answers: Type.Optional(
    Type.Array(closed({ ...answer, type: answerType }), {
      maxItems: limits.answersMax,
      default: [],
    }),
  ),
  hold: Type.Optional(Type.Boolean({ default: false })),
  files: Type.Optional(
    Type.Array(idOf('file'), {
      maxItems: limits.filesMax,
      uniqueItems: true,
      default: [],
      description:
        "Attached files of this patient that aren't on a case yet. Must be empty in live mode.",
    }),
  ),
})

const Reason = closed({ reason: Type.Optional(nullable(text(1, 2000, { default: null }))) })

const CaseAnswers = closed({
  answers: Type.Array(
    closed({
      id: Type.Optional(answer.id),
      question: Type.Optional(answer.question),
      answer: answer.answer,
      type: answerType,
    }),
    { minItems: 1, maxItems: limits.answersAtOnceMax },
  ),
})

export const cases = define({
  createCase: {
    method: 'POST',
    path: '/v1/cases',
    tag: 'Cases',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: 'File a case.',
    description:
      'The case starts as queued. With hold, it starts as received, so you can attach files first.',
    body: CaseCreate,
    status: 201,
    returns: Case,
    emits: ['case.queued.v1', 'case.received.v1'],
    refuses: ['consent_required'],
  },
  listCases: {
    method: 'GET',
    path: '/v1/cases',
    tag: 'Cases',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: 'List cases.',
    query: closed({
      ...page('case'),
      status: Type.Optional(oneOf(caseStatuses)),
      patient: Type.Optional(idOf('patient')),
      created_after: Type.Optional(moment({ description: 'Only cases created after this time.' })),
    }),
    status: 200,
    returns: listOf(Case),
  },
  getCase: {
    method: 'GET',
    path: '/v1/cases/{id}',
    tag: 'Cases',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: 'Read a case.',
    status: 200,
    returns: Case,
  },
  releaseCase: {
    method: 'POST',
    path: '/v1/cases/{id}/release',
    tag: 'Cases',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: 'Release a held case to the clinic.',
    body: 'none',
    status: 200,
    returns: Case,
    emits: ['case.queued.v1'],
    refuses: ['invalid_transition'],
  },
  cancelCase: {
    method: 'POST',
    path: '/v1/cases/{id}/cancel',
    tag: 'Cases',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: 'Cancel a case for your own reasons: a duplicate, an unpaid order, a mistake.',
    description:
      'Refused while a clinician is reviewing the case. The patient can still withdraw it.',
    body: Reason,
    status: 200,
    returns: Case,
    emits: ['case.cancelled.v1'],
    refuses: ['invalid_transition'],
  },
  withdrawCase: {
    method: 'POST',
    path: '/v1/cases/{id}/withdraw',
    tag: 'Cases',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: 'Withdraw a case because the patient no longer wants the consult.',
    body: Reason,
    status: 200,
    returns: Case,
    emits: ['case.withdrawn.v1'],
    refuses: ['invalid_transition'],
  },
  answerCase: {
    method: 'POST',
    path: '/v1/cases/{id}/answers',
    tag: 'Cases',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: 'Answer the open question and return the case to the clinician.',
    description:
      'Omitted values come from the question. The answers are added to the thread as one message, ' +
      'truncated to 5,000 characters; the case keeps each in full, up to ' +
      `${limits.answersMax} in total.`,
    body: CaseAnswers,
    status: 200,
    returns: Case,
    emits: ['case.in_review.v1', 'case.message_created.v1'],
    refuses: ['invalid_transition'],
  },
  listCaseEvents: {
    method: 'GET',
    path: '/v1/cases/{id}/events',
    tag: 'Cases',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: "List a case's events.",
    query: closed(page('event')),
    status: 200,
    returns: listOf(Event),
  },
})
