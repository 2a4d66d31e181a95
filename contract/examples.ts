// The examples of the published contract: each named schema once, each request body, and each
// answer that the schema's own example would misrepresent. The compiler demands a body for every
// row that takes one; a test validates every value.

import type { Static, TSchema } from 'typebox'
import type { OperationId, operations, Output } from './api.ts'
import * as files from './examples/files.ts'
import * as story from './examples/resources.ts'
import * as visits from './examples/visits.ts'

const { ids } = story

/** One example of each named schema, by its name. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  Organization: story.organization,
  Medication: story.medication,
  Address: story.address,
  Patient: story.patient,
  Consent: story.consent,
  Case: story.approvedCase,
  RequestedMedication: story.requested,
  Answer: story.answer,
  PlanLine: story.planLine,
  Message: story.message,
  Prescription: story.prescription,
  Order: story.order,
  Tracking: story.tracking,
  Visit: visits.visit,
  SlotList: visits.slots,
  JoinLink: visits.joinLink,
  Charge: visits.charge,
  Usage: visits.usage,
  Invoice: visits.invoice,
  Export: files.completedExport,
  ExportBundle: files.bundle,
  File: files.file,
  FileUpload: files.upload,
  Event: story.event,
  WebhookEndpoint: story.webhookEndpoint,
  Delivery: story.delivery,
  Deleted: story.deleted,
  FieldError: story.fieldError,
  RealtimeToken: story.realtimeToken,
  Autopilot: story.autopilot,
  SandboxReset: story.sandboxReset,
}

type BodyOf<K extends OperationId> = (typeof operations)[K] extends { readonly body: infer B }
  ? B extends 'none'
    ? never
    : B extends TSchema
      ? Static<B>
      : never
  : never
type WithBody = { [K in OperationId]: [BodyOf<K>] extends [never] ? never : K }[OperationId]

/** The patient of the story that every example, test and bench tells. */
export const rivera = {
  first_name: 'Ada',
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: 'ada.rivera@example.com',
  phone: '+14155550142',
  address: {
    line1: '1600 Stockton Street',
    line2: 'Apt 4',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94133',
  },
  external_id: 'cust_8812',
} as const satisfies BodyOf<'createPatient'>

/** Named examples of each request body; the name, in words, is the example's summary. */
export const requests: { readonly [K in WithBody]: Readonly<Record<string, BodyOf<K>>> } = {
  createPatient: { patient: rivera },
  updatePatient: {
    change_of_phone: { phone: '+14155550177' },
    clear_your_own_id: { external_id: null },
  },
  recordConsent: {
    telehealth: {
      kind: 'telehealth',
      version: '2026-09-01',
      accepted_at: '2026-11-20T15:03:58.000Z',
    },
    privacy: { kind: 'privacy', version: '2026-09-01' },
  },
  createCase: {
    case: {
      patient: ids.patient,
      consent_ids: story.queuedCase.consent_ids,
      requested_medications: [{ medication_id: ids.medication, quantity: 4, refills: 2 }],
      answers: [story.answer],
    },
    held_until_files_are_attached: {
      patient: ids.patient,
      consent_ids: story.queuedCase.consent_ids,
      requested_medications: [{ medication_id: ids.medication }],
      hold: true,
    },
  },
  cancelCase: { reason: { reason: 'Filed twice by mistake.' } },
  withdrawCase: { reason: { reason: 'The patient found another provider.' } },
  answerCase: { answer: { answers: [{ answer: 'No, never.' }] } },
  createMessage: { from_the_patient: { body: 'Can I take it in the evening?', author: 'patient' } },
  bookVisit: {
    for_a_case: {
      patient: ids.patient,
      starts_at: '2026-11-24T10:00:00-08:00',
      case: ids.case,
    },
    without_one: { patient: ids.patient, starts_at: '2026-11-24T18:00:00.000Z' },
  },
  rescheduleVisit: { an_hour_later: { starts_at: '2026-11-24T19:00:00.000Z' } },
  createFile: {
    photo_id_for_a_case: {
      patient: ids.patient,
      case: ids.case,
      kind: 'photo_id',
      filename: 'license.jpg',
      mime: 'image/jpeg',
      size_bytes: 348_112,
    },
    only_what_is_needed: { patient: ids.patient, mime: 'application/pdf' },
  },
  confirmFile: {
    photo_id: { patient: ids.patient, kind: 'photo_id', filename: 'license.jpg' },
  },
  redeliverEvent: {
    to_every_subscriber: {},
    to_one_endpoint: { webhook_endpoint: ids.webhook_endpoint },
  },
  createWebhookEndpoint: {
    some_types: {
      url: story.webhookEndpoint.url,
      event_types: ['case.approved.v1', 'case.declined.v1', 'order.shipped.v1'],
      description: 'Production order pipeline',
    },
    everything_with_its_resource: {
      url: story.webhookEndpoint.url,
      event_types: ['*'],
      include_resource: true,
    },
  },
  updateWebhookEndpoint: {
    enable_again: { status: 'enabled' },
    more_types: { event_types: ['case.approved.v1', 'order.delivered.v1'] },
  },
  decideCase: {
    approve: { decision: 'approve' },
    approve_with_another_plan: {
      decision: 'approve',
      plan: [{ medication_id: ids.medication, quantity: 4, refills: 0 }],
    },
    decline: { decision: 'decline', reason: 'This medicine is not safe with your history.' },
    ask: {
      decision: 'needs_info',
      target: 'patient',
      question: 'Have you ever had pancreatitis?',
    },
  },
  sendClinicianMessage: { reply: { body: 'Yes, the evening is fine.' } },
  shipCase: {
    with_a_parcel: {
      tracking: {
        carrier: 'ups',
        number: '1Z999AA10123456784',
        url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
      },
    },
    without_one: {},
  },
  blockCase: { out_of_stock: { reason: 'Out of stock until Thursday.' } },
  updateAutopilot: {
    both_timers: { approve_after_s: 30, ship_after_s: 120 },
    off: { approve_after_s: null, ship_after_s: null },
  },
  triggerWebhook: {
    to_every_subscriber: { type: 'case.approved.v1' },
    to_one_endpoint: { type: 'order.shipped.v1', webhook_endpoint: ids.webhook_endpoint },
  },
}

/** Answers that differ from the example of the schema they return. */
export const answers: { readonly [K in OperationId]?: Output<K> } = {
  createExport: { ...files.completedExport, status: 'pending', url: null, expires_at: null },
  updatePatient: {
    ...story.patient,
    phone: '+14155550177',
    updated_at: '2026-11-20T15:06:00.000Z',
  },
  createCase: story.queuedCase,
  releaseCase: {
    ...story.queuedCase,
    hold: true,
    files: [ids.file],
    updated_at: '2026-11-20T15:06:10.250Z',
  },
  cancelCase: {
    ...story.queuedCase,
    status: 'cancelled',
    reason: 'Filed twice by mistake.',
    updated_at: '2026-11-20T15:05:01.700Z',
  },
  withdrawCase: {
    ...story.queuedCase,
    status: 'withdrawn',
    reason: 'The patient found another provider.',
    updated_at: '2026-11-20T15:05:01.700Z',
  },
  answerCase: {
    ...story.queuedCase,
    status: 'in_review',
    answers: [story.answer, story.answerToClinician],
    updated_at: '2026-11-20T15:08:02.310Z',
  },
  createMessage: {
    ...story.message,
    id: 'msg_01m7wr199gw3d6k8q1h5n9t2vb',
    kind: 'message',
    author: 'patient',
    target: null,
    body: 'Can I take it in the evening?',
    created_at: '2026-11-20T15:08:40.112Z',
  },
  deleteFile: { id: ids.file, deleted: true },
  sendClinicianMessage: {
    ...story.message,
    id: 'msg_01m7wr29204x7c0f2p6j8m3rsz',
    kind: 'message',
    target: null,
    body: 'Yes, the evening is fine.',
    created_at: '2026-11-20T15:09:12.640Z',
  },
  cancelVisit: visits.cancelledVisit,
  rescheduleVisit: visits.rescheduledVisit,
  listInvoices: { data: [visits.listedInvoice], has_more: false },
  startVisit: visits.startedVisit,
  completeVisit: visits.completedVisit,
  noShowVisit: visits.missedVisit,
  createWebhookEndpoint: { ...story.webhookEndpoint, secret: story.webhookSecret },
  rotateWebhookSecret: {
    ...story.webhookEndpoint,
    secret: 'whsec_b0Dh6Ls9Pu5Rc2wY7qT4n1xJ8m0Qv3kZ',
    previous_secret_expires_at: '2026-11-21T15:20:00.000Z',
    updated_at: '2026-11-20T15:20:00.000Z',
  },
}
