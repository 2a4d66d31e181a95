// A clinic's queue, a case's chart, and the staff's actions on it.

import { Type } from 'typebox'
import { Case, PlanLineInput } from '../api/cases.ts'
import { Event } from '../api/events.ts'
import { Consent } from '../api/patients.ts'
import { Message, Order, Prescription } from '../api/thread.ts'
import { Visit } from '../api/visits.ts'
import { limits } from '../limits.ts'
import { closed, day, idOf, listOf, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { caseStatuses } from '../states.ts'
import { ClinicFile } from './files.ts'
import { CodeList, draftVersion, Note } from './notes.ts'
import { ChartPatient } from './patients.ts'
import { carers, chartReaders, Claim, defineConsole, readRow, version, writeRow } from './row.ts'

/** The statuses in which a case waits for the clinic or for an answer, in order. */
export const queueStatuses = [
  'queued',
  'in_review',
  'waiting_on_patient',
  'waiting_on_integration',
] as const

/** The lists of undecided cases. */
export const queueViews = ['open', 'mine', 'waiting'] as const

/** The decisions a clinician can make. */
export const decisions = ['approved', 'declined'] as const

const actor = nullable(Type.Object({ person: nullable(Type.String()), name: Type.String() }))

const Listed = {
  id: idOf('case'),
  integration: Type.Object({ id: Type.String(), name: Type.String() }),
  patient: Type.Object({
    id: idOf('patient'),
    first_name: Type.String(),
    last_name: Type.String(),
    date_of_birth: day(),
    state: Type.String(),
  }),
  medications: Type.Array(idOf('medication')),
}

const Queued = Type.Object({
  ...Listed,
  status: oneOf(caseStatuses),
  status_at: moment({ description: 'When the status last changed.' }),
  claim: nullable(Claim),
  created_at: moment(),
  updated_at: moment(),
})

const Decided = Type.Object({
  ...Listed,
  status: oneOf(decisions),
  decided_at: moment(),
  decided_by: actor,
})

/** What the clinician read before signing. Optional, because a program may sign without a chart. */
const read = {
  last_message: Type.Optional(
    nullable(idOf('message'), {
      description:
        "The last message you read, or null if there was none. The decision is refused if there's a newer one from outside the clinic.",
    }),
  ),
  note_version: Type.Optional(draftVersion),
}

const Unanswered = Type.Object({
  ...Listed,
  status: oneOf(caseStatuses),
  message: idOf('message', { description: 'The oldest unanswered message.' }),
  since: moment({ description: 'When that message was sent.' }),
})

/** A case for the console, without the chart. */
const StaffCase = Type.Object({ ...Case.properties, claim: nullable(Claim), decided_by: actor })

export const caseRows = defineConsole({
  listQueue: {
    ...readRow,
    path: '/console/cases',
    roles: chartReaders,
    summary: 'List waiting cases, oldest first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      starting_after: Type.Optional(idOf('case', { 'x-cursor': true })),
      view: Type.Optional(
        oneOf(queueViews, {
          description:
            'open: for the clinic to review; mine: assigned to the caller; waiting: waiting for an answer.',
        }),
      ),
      show: Type.Optional(
        oneOf(['licensed', 'all'], {
          default: 'licensed',
          description: 'licensed: for clinicians, only cases in states where they are licensed.',
        }),
      ),
      created_before: Type.Optional(moment({ description: 'Only cases filed before this time.' })),
    }),
    returns: listOf(Queued),
  },
  listDecided: {
    ...readRow,
    path: '/console/decided',
    roles: chartReaders,
    summary: 'List decided cases, latest decision first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      before: Type.Optional(idOf('case', { description: 'The last case on the previous page.' })),
      by: Type.Optional(oneOf(['me'], { description: 'Only decisions by the caller.' })),
      status: Type.Optional(oneOf(decisions)),
    }),
    returns: Type.Object({ data: Type.Array(Decided), has_more: Type.Boolean() }),
  },
  listUnanswered: {
    ...readRow,
    path: '/console/unanswered',
    roles: chartReaders,
    summary: 'List cases with unanswered messages, oldest message first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      starting_after: Type.Optional(idOf('message', { 'x-cursor': true })),
    }),
    returns: listOf(Unanswered),
  },
  findNextCase: {
    ...readRow,
    path: '/console/next-case',
    roles: ['clinician'],
    summary: 'Find the oldest unclaimed case that the caller can decide, or else one they claimed.',
    query: closed({
      after: Type.Optional(
        idOf('case', { description: 'Cases filed later come first, then earlier ones.' }),
      ),
    }),
    returns: Type.Object({
      case: nullable(Type.Object({ id: idOf('case'), updated_at: moment() })),
    }),
  },
  readChart: {
    ...readRow,
    path: '/console/cases/{id}',
    roles: chartReaders,
    summary: 'Read a case with its patient, consents, files, thread, orders and history.',
    returns: Type.Object({
      ...StaffCase.properties,
      integration: Type.Object({ id: Type.String(), name: Type.String() }),
      chart: Type.Object({
        patient: ChartPatient,
        consents: Type.Array(Type.Omit(Consent, ['version_in_force'])),
        files: Type.Array(ClinicFile),
        messages: Type.Array(Type.Object({ ...Message.properties, by: actor })),
        unanswered_at: nullable(
          moment({ description: 'When the last unanswered message was sent.' }),
        ),
        prescriptions: Type.Array(Prescription),
        orders: Type.Array(Order),
        /** The patient's other cases, prescriptions and orders, and all of their visits. */
        earlier: Type.Object({
          cases: Type.Array(
            Type.Object({
              ...Type.Pick(Case, ['id', 'status', 'plan', 'reason', 'created_at', 'updated_at'])
                .properties,
              requested_medications: Case.properties.requested_medications,
              decided_by: actor,
            }),
          ),
          prescriptions: Type.Array(Prescription),
          orders: Type.Array(Order),
        }),
        visits: Type.Array(Visit),
        notes: Type.Array(Note),
        code_list: CodeList,
        history: Type.Array(
          Type.Object({
            ...Type.Pick(Event, ['id', 'type', 'status', 'previous_status', 'created_at'])
              .properties,
            resource: Type.String(),
          }),
        ),
      }),
    }),
  },
  claimCase: {
    ...writeRow,
    path: '/console/cases/{id}/claim',
    roles: carers,
    summary: 'Start reviewing a case, or extend the claim.',
    body: closed({ version }),
    returns: StaffCase,
    emits: ['case.in_review.v1'],
    refuses: ['invalid_transition', 'version_changed', 'case_claimed'],
  },
  unclaimCase: {
    ...writeRow,
    path: '/console/cases/{id}/unclaim',
    roles: carers,
    summary: 'Release a case to others.',
    body: closed({ version }),
    returns: StaffCase,
    refuses: ['version_changed', 'case_claimed'],
  },
  approveCase: {
    ...writeRow,
    path: '/console/cases/{id}/approve',
    roles: ['clinician'],
    isSignature: true,
    summary: 'Sign a case’s plan.',
    body: closed({
      version,
      ...read,
      plan: Type.Optional(
        Type.Array(PlanLineInput, {
          minItems: 1,
          maxItems: limits.planLinesMax,
          description: 'Default: the requested medications.',
        }),
      ),
    }),
    returns: StaffCase,
    emits: ['case.in_review.v1', 'case.approved.v1', 'prescription.created.v1', 'order.created.v1'],
    refuses: ['invalid_transition', 'version_changed', 'case_claimed', 'license_required'],
  },
  declineCase: {
    ...writeRow,
    path: '/console/cases/{id}/decline',
    roles: ['clinician'],
    isSignature: true,
    summary: 'Decline a case.',
    body: closed({
      version,
      ...read,
      reason: text(1, 2000, { description: 'The patient sees it.' }),
    }),
    returns: StaffCase,
    emits: ['case.in_review.v1', 'case.declined.v1'],
    refuses: ['invalid_transition', 'version_changed', 'case_claimed', 'license_required'],
  },
  askQuestion: {
    ...writeRow,
    path: '/console/cases/{id}/question',
    roles: carers,
    summary: 'Ask the patient or the integration, and wait for the answer.',
    body: closed({
      version,
      target: oneOf(['patient', 'integration']),
      question: text(1, 2000),
    }),
    returns: StaffCase,
    emits: [
      'case.in_review.v1',
      'case.waiting_on_patient.v1',
      'case.waiting_on_integration.v1',
      'case.question_asked.v1',
    ],
    refuses: ['invalid_transition', 'version_changed', 'case_claimed'],
  },
  writeMessage: {
    ...writeRow,
    path: '/console/cases/{id}/messages',
    roles: carers,
    summary: 'Send a message to the patient and the integration on a case’s thread.',
    body: closed({ version, body: text(1, 5000) }),
    status: 201,
    returns: Message,
    emits: ['case.message_created.v1'],
    refuses: ['invalid_transition', 'version_changed'],
  },
  dismissMessages: {
    ...writeRow,
    path: '/console/cases/{id}/messages/dismiss',
    roles: carers,
    summary: 'Mark a case’s messages as needing no reply.',
    body: closed({ version: moment({ description: 'The unanswered_at you read.' }) }),
    returns: StaffCase,
    refuses: ['version_changed'],
  },
})
