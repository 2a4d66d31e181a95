// The examples describe one sequence of events: Ada Rivera files a case on November 20, 2026, a
// clinician asks a question, she answers, the case is approved and an order is shipped. An ID's
// first ten characters encode its row's creation time, as in every response.

import type { Static } from 'typebox'
import type { Answer, Case, PlanLine, RequestedMedication } from '../api/cases.ts'
import type { Address } from '../api/address.ts'
import type { RealtimeToken } from '../api/realtime.ts'
import type { Autopilot, SandboxReset } from '../api/autopilot.ts'
import type { Deleted } from '../api/answers.ts'
import type { Event } from '../api/events.ts'
import type { Medication, Organization } from '../api/organization.ts'
import type { Consent, Patient } from '../api/patients.ts'
import type { Message, Order, Prescription, Tracking } from '../api/thread.ts'
import type { Delivery, WebhookEndpoint } from '../api/webhooks.ts'
import type { Noun } from '../ids.ts'
import type { Fault } from '../faults.ts'
import { allScopes } from '../scopes.ts'

/** The example ID for each kind of resource. */
export const ids = {
  organization: 'org_01m3vb29m0qzmhvvmxnm9j2321',
  integration: 'int_01m3vb29m0sxcvm9er5ytt0kmn',
  medication: 'med_01ke5q8600cs8dx2pfwah5v0tz',
  patient: 'pat_01m7wqrwr07q7txy3ntfjc6jem',
  consent: 'cons_01m7wqrxwwqzrsprbqaspd0s6r',
  case: 'case_01m7wqryk2hdshyqxcd9x2kd4r',
  message: 'msg_01m7wqykmm1v2e516r5gbfd6g6',
  prescription: 'rx_01m7wr3qspd4mt996695cy6x0s',
  order: 'ord_01m7wr3qsr6kesqx0xh3s2cw9c',
  visit: 'vis_01m7wr8bemnv8e2bynd832jrwg',
  file: 'file_01m7wqv6r49ar1pk5pa8g92t1x',
  charge: 'chg_01m87d6pq67ze2vsp8nsdz2q2p',
  invoice: 'inv_01m6a6ryz0p50qp98yw4f2f6f8',
  export: 'exp_01m7wrp180vpv8xg74ed2b1he2',
  event: 'evt_01m7wr3qsnrewzy4jdebaktdgd',
  webhook_endpoint: 'we_01m7wqds6thbpae84920gqtw9a',
  delivery: 'dlv_01m7wr3qsn1xbe73qe94zfswns',
  request: 'req_01m7wqryjrscqnw9bcr5fpqt88',
} as const satisfies Partial<Record<Noun, string>>

export const privacyConsent = 'cons_01m7wqry2gzsngmxkkvxnyg1ps'

export const organization: Static<typeof Organization> = {
  id: ids.organization,
  name: 'Harbor Telehealth Clinic (sandbox)',
  slug: 'harbor-sandbox',
  kind: 'DIRECT',
  status: 'active',
  mode: 'test',
  scopes: [...allScopes],
}

export const medication: Static<typeof Medication> = {
  medication_id: ids.medication,
  name: 'Semaglutide',
  form: 'injection pen',
  strength: '0.25 mg/0.5 mL',
  category: 'weight_management',
  unit: 'pen',
  default_quantity: 4,
  max_quantity: 12,
  default_days_supply: 28,
  default_directions: 'Inject 0.25 mg under the skin once a week.',
  dispensable: true,
  controlled: false,
}

export const address: Static<typeof Address> = {
  line1: '1600 Stockton Street',
  line2: 'Apt 4',
  city: 'San Francisco',
  state: 'CA',
  postal_code: '94133',
  country: 'US',
}

export const patient: Static<typeof Patient> = {
  id: ids.patient,
  external_id: 'cust_8812',
  status: 'active',
  first_name: 'Ada',
  middle_name: null,
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: 'ada.rivera@example.com',
  phone: '+14155550142',
  address,
  created_at: '2026-11-20T15:04:05.120Z',
  updated_at: '2026-11-20T15:04:05.120Z',
}

export const consent: Static<typeof Consent> = {
  id: ids.consent,
  patient: ids.patient,
  kind: 'telehealth',
  version: '2026-09-01',
  status: 'current',
  accepted_at: '2026-11-20T15:03:58.000Z',
  created_at: '2026-11-20T15:04:06.300Z',
  version_in_force: null,
}

export const requested: Static<typeof RequestedMedication> = {
  medication_id: ids.medication,
  quantity: 4,
  refills: 2,
  days_supply: 28,
  directions: medication.default_directions,
}

export const planLine: Static<typeof PlanLine> = { ...requested, refills: 0, dispensable: true }

export const answer: Static<typeof Answer> = {
  id: 'weight_goal',
  question: 'What is your goal weight?',
  answer: '165 lb',
  type: 'string',
}

export const answerToClinician: Static<typeof Answer> = {
  id: ids.message,
  question: 'Have you ever had pancreatitis?',
  answer: 'No, never.',
  type: 'string',
}

/** The case when it's filed, before any question or decision. */
export const queuedCase: Static<typeof Case> = {
  id: ids.case,
  patient: ids.patient,
  status: 'queued',
  consent_ids: [ids.consent, privacyConsent],
  requested_medications: [requested],
  answers: [answer],
  hold: false,
  files: [],
  plan: null,
  question: null,
  reason: null,
  prescription_ids: [],
  order_ids: [],
  created_at: '2026-11-20T15:04:07.010Z',
  updated_at: '2026-11-20T15:04:07.010Z',
}

export const approvedCase: Static<typeof Case> = {
  ...queuedCase,
  status: 'approved',
  answers: [answer, answerToClinician],
  files: [ids.file],
  plan: [planLine],
  prescription_ids: [ids.prescription],
  order_ids: [ids.order],
  updated_at: '2026-11-20T15:10:00.500Z',
}

export const message: Static<typeof Message> = {
  id: ids.message,
  status: 'sent',
  case: ids.case,
  kind: 'question',
  author: 'clinician',
  target: 'patient',
  body: answerToClinician.question,
  created_at: '2026-11-20T15:07:12.404Z',
}

export const prescription: Static<typeof Prescription> = {
  id: ids.prescription,
  case: ids.case,
  patient: ids.patient,
  order: ids.order,
  status: 'active',
  medication_id: ids.medication,
  name: medication.name,
  form: medication.form,
  strength: medication.strength,
  quantity: planLine.quantity,
  refills: planLine.refills,
  days_supply: planLine.days_supply,
  directions: planLine.directions,
  prescriber_name: 'Sandbox Clinician, MD',
  expires_at: '2027-11-20T15:10:00.502Z',
  created_at: '2026-11-20T15:10:00.502Z',
  updated_at: '2026-11-20T15:10:00.502Z',
}

export const tracking: Static<typeof Tracking> = {
  carrier: 'ups',
  number: '1Z999AA10123456784',
  url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
}

export const order: Static<typeof Order> = {
  id: ids.order,
  case: ids.case,
  patient: ids.patient,
  prescription: ids.prescription,
  status: 'shipped',
  medication_id: ids.medication,
  quantity: planLine.quantity,
  ship_to: address,
  tracking,
  reason: null,
  shipped_at: '2026-11-20T16:00:00.000Z',
  delivered_at: null,
  created_at: '2026-11-20T15:10:00.504Z',
  updated_at: '2026-11-20T16:00:00.000Z',
}

export const event: Static<typeof Event> = {
  id: ids.event,
  type: 'case.approved.v1',
  created_at: '2026-11-20T15:10:00.501Z',
  organization: ids.organization,
  mode: 'test',
  resource: { type: 'case', id: ids.case },
  status: 'approved',
  previous_status: 'in_review',
}

export const realtimeToken: Static<typeof RealtimeToken> = {
  token:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InRlc3QifQ.' +
    'eyJpYXQiOjE3OTUxODM4MDAsImV4cCI6MTc5NTE4NzQwMH0.0eJp8o3aQ1hXoQpZ2bqY9v6nT4kGm1rU7cWsLxDfEyA',
  channel: `integration:${ids.integration}:${ids.organization}:test`,
  capability: 'subscribe',
  mode: 'test',
  expires_at: '2026-11-20T16:10:00.000Z',
}

export const autopilot: Static<typeof Autopilot> = { approve_after_s: 30, ship_after_s: 120 }

export const sandboxReset: Static<typeof SandboxReset> = { reset: true, resources_deleted: 17 }

export const deleted: Static<typeof Deleted> = { id: ids.patient, deleted: true }

export const fieldError: Fault = {
  pointer: '#/requested_medications/0/quantity',
  code: 'too_large',
  message: 'quantity must be at most 12 for this medication.',
}

export const webhookEndpoint: Static<typeof WebhookEndpoint> = {
  id: ids.webhook_endpoint,
  url: 'https://hooks.brand.example/clinical',
  event_types: ['case.approved.v1', 'case.declined.v1', 'order.shipped.v1'],
  include_resource: false,
  description: 'Production order pipeline',
  status: 'enabled',
  previous_secret_expires_at: null,
  disabled_at: null,
  created_at: '2026-11-20T14:58:01.050Z',
  updated_at: '2026-11-20T14:58:01.050Z',
}

export const webhookSecret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'

export const delivery: Static<typeof Delivery> = {
  id: ids.delivery,
  event: ids.event,
  event_type: 'case.approved.v1',
  webhook_endpoint: ids.webhook_endpoint,
  status: 'pending',
  attempt: 2,
  http_status: 503,
  latency_ms: 412,
  response_body: 'upstream unavailable',
  error: null,
  next_attempt_at: '2026-11-20T15:16:01.733Z',
  last_attempt_at: '2026-11-20T15:11:01.733Z',
  created_at: '2026-11-20T15:10:00.501Z',
}
