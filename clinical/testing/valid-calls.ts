// A valid call to every operation, with the rows it needs. The compiler requires one for every row
// in the table, so the tests of all rows cover a new row as soon as it's written.

import { destinationRequests } from '#contract/examples/destinations.ts'
import { newRequestId } from '#http/http-request.ts'
import type { CallableId } from '#contract/callable.ts'
import type { Mode } from '#contract/operation.ts'
import { momentText, now } from '#database/clock.ts'
import {
  consentedPatient,
  type CallOptions,
  queuedCase,
  caseBody,
  invokeOk,
  rivera,
  semaglutide,
} from './call.ts'
import { createCharge, createInvoice } from './invoices.ts'
import { completeWith, dataOutCalls, requestExport } from './exports.ts'
import { confirmation, photo, reserveFile, uploadFile } from './files.ts'
import type { Fixtures } from './fixtures.ts'
import { projectAll } from './requests.ts'
import { skipEvents } from '../deliveries/engine/testing/skip-events.ts'
import { bookedVisit, freeSlot, freeStarts, joinTimeOf } from './visits.ts'

/** Creates the rows a call needs, with the given key, and returns the call. */
type ValidCall = (fixtures: Fixtures, as: string) => Promise<CallOptions>

const none: ValidCall = async () => ({})
const ofPatient: ValidCall = async (fixtures, as) => ({
  id: (await consentedPatient(fixtures, as)).patient,
})
const ofCase: ValidCall = async (fixtures, as) => ({ id: (await queuedCase(fixtures, as)).id })

/** The sandbox decides in place of the clinician; a live key can't do this. */
const decidedCase = async (fixtures: Fixtures, as: string, body: object): Promise<string> => {
  const { id } = await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'decideCase', { as, id, body })
  return id
}

const ofApprovedCase: ValidCall = async (fixtures, as) => ({
  id: await decidedCase(fixtures, as, { decision: 'approve' }),
})

const modeOf = (as: string): Mode => (as.startsWith('svc_sk_live_') ? 'live' : 'test')

/** Returns a call that's in the request log. */
const ofRequest: ValidCall = async (fixtures, as) => {
  const id = newRequestId()
  await invokeOk(fixtures, 'createPatient', { as, body: rivera, request: id })
  await projectAll(fixtures, [modeOf(as)])
  return { id }
}

const ofVisit: ValidCall = async (fixtures, as) => ({ id: (await bookedVisit(fixtures, as)).id })

/** Returns a key's integration and mode. */
const billingTargetOf = (fixtures: Fixtures, as: string) => ({
  who: [fixtures.ada, fixtures.ben].find(one => [one.test, one.live].includes(as)) ?? fixtures.ada,
  mode: modeOf(as),
})

/** No operation creates an invoice, so its rows are written directly. */
const ofInvoice: ValidCall = async (fixtures, as) => {
  const books = billingTargetOf(fixtures, as)
  return { id: await createInvoice(fixtures, books, [await createCharge(fixtures, books)]) }
}

const withReason =
  (validCall: ValidCall): ValidCall =>
  async (fixtures, as) => ({
    ...(await validCall(fixtures, as)),
    body: { reason: 'Ordered twice.' },
  })

export const endpoint = {
  url: 'https://hooks.brand.example/clinical',
  event_types: ['case.approved.v1', 'order.shipped.v1'],
  description: 'Production order pipeline',
}

/** An integration's endpoints are limited, and the sweeps create many. */
const withFreeEndpoint: ValidCall = async (fixtures, as) => {
  const [endpoints, destinations] = [
    await invokeOk(fixtures, 'listWebhookEndpoints', { as }),
    await invokeOk(fixtures, 'listDestinations', { as }),
  ]
  if (endpoints.data.length + destinations.data.length > 12) await clearEndpoints(fixtures, as)
  return {}
}

/** Deletes an integration's endpoints and destinations, with their pending deliveries. */
export async function clearEndpoints(fixtures: Fixtures, as = fixtures.ada.test): Promise<void> {
  const all = { as, query: { limit: '100' } }
  const { data } = await invokeOk(fixtures, 'listWebhookEndpoints', all)
  for (const { id } of data) await invokeOk(fixtures, 'deleteWebhookEndpoint', { as, id })
  const others = await invokeOk(fixtures, 'listDestinations', all)
  for (const { id } of others.data) await invokeOk(fixtures, 'deleteDestination', { as, id })
}

const ofEndpoint: ValidCall = async (fixtures, as) => {
  await skipEvents(fixtures, modeOf(as))
  await withFreeEndpoint(fixtures, as)
  return { id: (await invokeOk(fixtures, 'createWebhookEndpoint', { as, body: endpoint })).id }
}

const aQueue = { body: destinationRequests['a_queue'] ?? {} }
const ofDestination: ValidCall = async (fixtures, as) => {
  await withFreeEndpoint(fixtures, as)
  return { id: (await invokeOk(fixtures, 'createDestination', { as, ...aQueue })).id }
}

/** Replays the last hour's events to a new endpoint. */
const ofReplay: ValidCall = async (fixtures, as) => {
  const { id: webhook_endpoint } = await ofEndpoint(fixtures, as)
  return { body: { webhook_endpoint, since: momentText(now() - 3_600_000), only: 'all' } }
}

const startedReplay: ValidCall = async (fixtures, as) => {
  const { body } = await ofReplay(fixtures, as)
  return { id: (await invokeOk(fixtures, 'replayEvents', { as, body })).id }
}

/** Creates a case event, and one endpoint to send it to. */
const ofRedelivery: ValidCall = async (fixtures, as) => {
  const { id: webhook_endpoint } = await ofEndpoint(fixtures, as)
  return { ...(await firstOf('listCaseEvents', ofCase)(fixtures, as)), body: { webhook_endpoint } }
}

/** Returns the first item in one of a case's lists. */
const firstOf =
  (list: CallableId, validCall: ValidCall): ValidCall =>
  async (fixtures, as) => {
    const found = await invokeOk(fixtures, list, { as, ...(await validCall(fixtures, as)) })
    return { id: found.data[0].id }
  }

export const validCalls: Record<CallableId, ValidCall> = {
  getOrganization: none,
  listMedications: none,
  getMedication: async () => ({ id: semaglutide }),
  createPatient: async () => ({ body: rivera }),
  listPatients: async (fixtures, as) => ofPatient(fixtures, as).then(() => ({})),
  getPatient: ofPatient,
  updatePatient: async (fixtures, as) => ({
    ...(await ofPatient(fixtures, as)),
    body: { first_name: 'Grace', middle_name: 'Q', address: { ...rivera.address, line2: null } },
  }),
  deletePatient: async (fixtures, as) => ({ id: (await queuedCase(fixtures, as)).patient }),
  recordConsent: async (fixtures, as) => ({
    ...(await ofPatient(fixtures, as)),
    body: { kind: 'privacy', version: '2026-11-01', accepted_at: '2026-10-01T09:00:00+02:00' },
  }),
  listConsents: ofPatient,
  createCase: async (fixtures, as) => ({ body: caseBody(await consentedPatient(fixtures, as)) }),
  listCases: async (fixtures, as) => ofCase(fixtures, as).then(() => ({})),
  getCase: ofCase,
  releaseCase: async (fixtures, as) => ({
    id: (await queuedCase(fixtures, as, { hold: true })).id,
  }),
  cancelCase: withReason(ofCase),
  withdrawCase: withReason(ofCase),
  answerCase: async (fixtures, as) => ({
    id: await decidedCase(fixtures, as, {
      decision: 'needs_info',
      target: 'patient',
      question: 'Have you ever had pancreatitis?',
    }),
    body: { answers: [{ answer: 'No.' }] },
  }),
  listCaseEvents: ofCase,
  listMessages: async (fixtures, as) => {
    const { id } = await queuedCase(fixtures, as)
    await invokeOk(fixtures, 'createMessage', { as, id, body: { body: 'Is it shipped yet?' } })
    return { id }
  },
  createMessage: async (fixtures, as) => ({
    ...(await ofCase(fixtures, as)),
    body: { body: 'Is it shipped yet?', author: 'patient' },
  }),
  listPrescriptions: ofApprovedCase,
  getPrescription: firstOf('listPrescriptions', ofApprovedCase),
  listOrders: ofApprovedCase,
  getOrder: firstOf('listOrders', ofApprovedCase),
  listSlots: async () => ({ query: 'state=CA' }),
  bookVisit: async (fixtures, as) => {
    const { patient, starts_at } = await freeSlot(fixtures, as)
    return { body: { patient, starts_at } }
  },
  getVisit: ofVisit,
  cancelVisit: ofVisit,
  rescheduleVisit: async (fixtures, as) => {
    const { id, state } = await bookedVisit(fixtures, as)
    return { id, body: { starts_at: (await freeStarts(fixtures, state, as))[0] } }
  },
  getJoinLink: async (fixtures, as) => {
    const visit = await bookedVisit(fixtures, as)
    return { id: visit.id, at: joinTimeOf(visit) }
  },
  getUsage: none,
  listInvoices: none,
  getInvoice: ofInvoice,
  createExport: ofPatient,
  getPatientExport: async (fixtures, as) => {
    const { patient, id: job } = await requestExport(fixtures, as)
    return { id: patient, names: { job } }
  },
  getExport: requestExport,
  downloadExport: async (fixtures, as) => {
    const { id } = await requestExport(fixtures, as)
    await completeWith(fixtures, as)
    return { id }
  },
  ...dataOutCalls,
  createFile: async (fixtures, as) => {
    const { id, patient } = await queuedCase(fixtures, as)
    return { body: { patient, case: id, mime: 'image/png', size_bytes: photo.length } }
  },
  confirmFile: async (fixtures, as) => {
    const found = await reserveFile(fixtures, { as, case: (await queuedCase(fixtures, as)).id })
    await uploadFile(fixtures, found)
    return { id: found.id, body: confirmation(found.patient) }
  },
  getFile: async (fixtures, as) => ({ id: (await reserveFile(fixtures, { as })).id }),
  deleteFile: async (fixtures, as) => ({ id: (await reserveFile(fixtures, { as })).id }),
  listEvents: async (fixtures, as) =>
    ofCase(fixtures, as).then(() => ({ query: 'include_resource=true' })),
  getEvent: firstOf('listCaseEvents', ofCase),
  redeliverEvent: ofRedelivery,
  createWebhookEndpoint: async (fixtures, as) => ({
    ...(await withFreeEndpoint(fixtures, as)),
    body: endpoint,
  }),
  listWebhookEndpoints: async (fixtures, as) => ofEndpoint(fixtures, as).then(() => ({})),
  getWebhookEndpoint: ofEndpoint,
  updateWebhookEndpoint: async (fixtures, as) => ({
    ...(await ofEndpoint(fixtures, as)),
    body: { event_types: ['*'], include_resource: true, description: null, status: 'disabled' },
  }),
  deleteWebhookEndpoint: ofEndpoint,
  rotateWebhookSecret: ofEndpoint,
  listDeliveries: async (fixtures, as) => {
    const { id = '', body } = await ofRedelivery(fixtures, as)
    await invokeOk(fixtures, 'redeliverEvent', { as, id, body })
    return { id: (body as { webhook_endpoint: string }).webhook_endpoint }
  },
  createRealtimeToken: none,
  decideCase: async (fixtures, as) => ({
    ...(await ofCase(fixtures, as)),
    body: { decision: 'approve', plan: [{ medication_id: semaglutide, quantity: 2 }] },
  }),
  sendClinicianMessage: async (fixtures, as) => ({
    ...(await ofCase(fixtures, as)),
    body: { body: 'Take it on the same day of every week.' },
  }),
  shipCase: ofApprovedCase,
  deliverCase: async (fixtures, as) => {
    const { id = '' } = await ofApprovedCase(fixtures, as)
    await invokeOk(fixtures, 'shipCase', { as, id })
    return { id }
  },
  blockCase: async (fixtures, as) => ({
    ...(await ofApprovedCase(fixtures, as)),
    body: { reason: 'Out of stock until Thursday.' },
  }),
  failCase: ofApprovedCase,
  getAutopilot: none,
  updateAutopilot: async () => ({ body: { approve_after_s: 30 } }),
  resetSandbox: async (fixtures, as) => ofApprovedCase(fixtures, as).then(() => ({})),
  startVisit: ofVisit,
  completeVisit: async (fixtures, as) => {
    const { id } = await bookedVisit(fixtures, as)
    await invokeOk(fixtures, 'startVisit', { as, id })
    return { id }
  },
  noShowVisit: ofVisit,
  triggerWebhook: async (fixtures, as) => ({
    body: { type: 'order.shipped.v1', webhook_endpoint: (await ofEndpoint(fixtures, as)).id },
  }),
  listRequests: async (fixtures, as) => ofRequest(fixtures, as).then(() => ({})),
  getRequest: ofRequest,
  getTestClock: none,
  setTestClock: async () => ({ body: { advance_by_s: 60 } }),
  getConsentVersions: none,
  publishConsentVersion: async () => ({ body: { kind: 'privacy', version: '2026-09-01' } }),
  createDestination: async (fixtures, as) => withFreeEndpoint(fixtures, as).then(() => aQueue),
  listDestinations: none,
  getDestination: ofDestination,
  updateDestination: async (fixtures, as) => ({
    ...(await ofDestination(fixtures, as)),
    body: { description: 'For the warehouse' },
  }),
  deleteDestination: ofDestination,
  replayEvents: async (fixtures, as) => ({ body: (await ofReplay(fixtures, as)).body }),
  getReplay: startedReplay,
  cancelReplay: startedReplay,
}
