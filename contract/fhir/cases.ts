// Cases, their answers and messages, and visits as FHIR.

import type { Static } from 'typebox'
import type { Answer, Case } from '../api/cases.ts'
import { formats } from '../api/text-formats.ts'
import type { Message } from '../api/thread.ts'
import type { Visit } from '../api/visits.ts'
import {
  clinic,
  medicationConcept,
  named,
  practitioner,
  reference,
  references,
  visitClass,
} from './elements.ts'
import { mapping, rulesOf } from './mapping.ts'

type CaseRow = Static<typeof Case>
const ofCase = rulesOf<CaseRow>()

const caseSubject = ofCase.made('subject', ['patient'], '', row =>
  reference('Patient', row.patient),
)
const caseUpdated = ofCase.copy('meta.lastUpdated', 'updated_at')

/** Returns the answer by its type, or as text if it can't be parsed as that type. */
function valueOf({ answer, type }: Static<typeof Answer>) {
  if (type === 'boolean' && /^(true|false)$/.test(answer))
    return { valueBoolean: answer === 'true' }
  if (type === 'date' && formats['date']?.(answer)) return { valueDate: answer }
  if (type === 'number' && /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(answer))
    return { valueDecimal: Number(answer) }
  return { valueString: answer }
}

export const answers = mapping('QuestionnaireResponse', 'Case', [
  caseUpdated,
  ofCase.made(
    'status',
    ['status'],
    '`in-progress` while the case waits for the patient, else `completed`',
    row => (row.status === 'waiting_on_patient' ? 'in-progress' : 'completed'),
  ),
  caseSubject,
  ofCase.made('encounter', ['id'], '', row => reference('Encounter', row.id)),
  ofCase.copy('authored', 'created_at'),
  ofCase.made(
    'item',
    ['answers'],
    "the answer's `id`, `question` and, depending on its `type`, `answer`",
    row => row.answers.map(one => ({ linkId: one.id, text: one.question, answer: [valueOf(one)] })),
  ),
])

export const request = mapping('ServiceRequest', 'Case', [
  caseUpdated,
  ofCase.word('status', 'status', {
    received: 'on-hold',
    queued: 'active',
    in_review: 'active',
    waiting_on_patient: 'active',
    waiting_on_integration: 'active',
    approved: 'completed',
    declined: 'completed',
    cancelled: 'revoked',
    withdrawn: 'revoked',
  }),
  ofCase.always('intent', 'proposal'),
  ofCase.always('code.text', 'Asynchronous telehealth consult'),
  ofCase.made(
    'orderDetail',
    ['requested_medications'],
    'each medication: our catalog code, with name, strength and form',
    (row, about) =>
      row.requested_medications.map(({ medication_id: id }) =>
        medicationConcept(about, id, about.medication(id)),
      ),
  ),
  caseSubject,
  ofCase.copy('authoredOn', 'created_at'),
  ofCase.made('performer', [], 'the clinic, by its ID', (_, about) => [clinic(about)]),
  ofCase.made('supportingInfo', ['id', 'consent_ids', 'files'], '', row => [
    reference('QuestionnaireResponse', row.id),
    ...references('Consent', row.consent_ids),
    ...references('DocumentReference', row.files),
  ]),
  ofCase.made('note', ['reason'], '', row => [{ text: row.reason }]),
])

export const consult = mapping('Encounter', 'Case', [
  caseUpdated,
  ofCase.word('status', 'status', {
    received: 'planned',
    queued: 'planned',
    in_review: 'in-progress',
    waiting_on_patient: 'in-progress',
    waiting_on_integration: 'in-progress',
    approved: 'finished',
    declined: 'finished',
    cancelled: 'cancelled',
    withdrawn: 'cancelled',
  }),
  ofCase.always('class', visitClass, '`VR`, virtual'),
  ofCase.always('type[0].text', 'Asynchronous telehealth consult'),
  caseSubject,
  ofCase.made('basedOn', ['id'], '', row => [reference('ServiceRequest', row.id)]),
  ofCase.copy('period.start', 'created_at'),
  ofCase.made('serviceProvider', [], 'the clinic, by its ID', (_, about) => clinic(about)),
])

const transmitter = {
  coding: [
    {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
      code: 'transmitter',
    },
  ],
}
export const filing = mapping('Provenance', 'Case', [
  ofCase.copy('meta.lastUpdated', 'created_at'),
  ofCase.made('target', ['id'], '', row => [
    reference('ServiceRequest', row.id),
    reference('QuestionnaireResponse', row.id),
  ]),
  ofCase.copy('recorded', 'created_at'),
  ofCase.always('agent[0].type', transmitter, '`transmitter`'),
  ofCase.made('agent[0].who', [], 'your integration, by its ID', (_, about) =>
    named(about, 'integration', about.integration),
  ),
])

/** Messages have only the case's ID; the SQL statement adds the patient's. */
const ofMessage = rulesOf<Static<typeof Message> & { patient: string }>()
export const message = mapping('Communication', 'Message', [
  ofMessage.copy('meta.lastUpdated', 'created_at'),
  ofMessage.made('basedOn', ['case'], '', row => [reference('ServiceRequest', row.case)]),
  ofMessage.always('status', 'completed'),
  ofMessage.made('category', ['kind'], '', row => [{ text: row.kind }]),
  ofMessage.made('subject', ['case'], "the case's patient", row =>
    reference('Patient', row.patient),
  ),
  ofMessage.made('encounter', ['case'], '', row => reference('Encounter', row.case)),
  ofMessage.copy('sent', 'created_at'),
  ofMessage.made(
    'sender',
    ['author'],
    'the patient; your integration by its ID; or, for a clinician, the clinic',
    ({ author, patient }, about) => {
      if (author === 'patient') return reference('Patient', patient)
      if (author === 'clinician') return clinic(about)
      return named(about, 'integration', about.integration)
    },
  ),
  ofMessage.made('recipient', ['target'], 'the patient, if the question is for them', row =>
    row.target === 'patient' ? [reference('Patient', row.patient)] : null,
  ),
  ofMessage.copy('payload[0].contentString', 'body'),
])

const ofVisit = rulesOf<Static<typeof Visit>>()
const visitUpdated = ofVisit.copy('meta.lastUpdated', 'updated_at')
const visitBasedOn = ofVisit.made('basedOn', ['case'], '', row => [
  reference('ServiceRequest', row.case),
])

export const appointment = mapping('Appointment', 'Visit', [
  visitUpdated,
  ofVisit.word('status', 'status', {
    scheduled: 'booked',
    started: 'arrived',
    completed: 'fulfilled',
    cancelled: 'cancelled',
    no_show: 'noshow',
  }),
  ofVisit.always('serviceType[0].text', 'Video visit'),
  ofVisit.copy('start', 'starts_at'),
  ofVisit.copy('end', 'ends_at'),
  ofVisit.copy('created', 'created_at'),
  visitBasedOn,
  ofVisit.made('participant', ['patient', 'clinician_name'], '', row => [
    { actor: reference('Patient', row.patient), status: 'accepted' },
    row.clinician_name === null
      ? null
      : { actor: practitioner(row.clinician_name), status: 'accepted' },
  ]),
])

/** A visit that has started; before that, only an appointment exists. */
export const visit = mapping('Encounter', 'Visit', [
  visitUpdated,
  ofVisit.made(
    'status',
    ['status'],
    '`in-progress` once started, then `finished`; no Encounter exists before',
    row => (row.status === 'started' ? 'in-progress' : 'finished'),
  ),
  ofVisit.always('class', visitClass, '`VR`, virtual'),
  ofVisit.always('type[0].text', 'Video visit'),
  ofVisit.made('subject', ['patient'], '', row => reference('Patient', row.patient)),
  visitBasedOn,
  ofVisit.made('participant[0].individual', ['clinician_name'], '', row =>
    practitioner(row.clinician_name),
  ),
  ofVisit.made('appointment', ['id'], '', row => [reference('Appointment', row.id)]),
  ofVisit.copy('period.start', 'started_at'),
  ofVisit.copy('period.end', 'ended_at'),
  ofVisit.made('serviceProvider', [], 'the clinic, by its ID', (_, about) => clinic(about)),
])
