// A valid call of every operation, with the world it needs. The compiler demands one for every row
// of the table, so that a new row is swept by the tests of all rows on the day it is written.

import type { OperationId } from '#contract/api.ts'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import {
  consentedPatient,
  type Asked,
  queuedCase,
  caseBody,
  must,
  rivera,
  semaglutide,
} from './call.ts'
import { charged, invoiced } from './invoices.ts'
import { completed, exported } from './exports.ts'
import { naming, photo, reserved, sent } from './files.ts'
import type { Fixtures } from './fixtures.ts'
import { bookedVisit, freeSlot, freeStarts, joinable } from './visits.ts'

/** Makes the world, as the holder of a key, and answers what to ask for in it. */
type ValidCall = (fixtures: Fixtures, as: string) => Promise<Asked>

const none: ValidCall = async () => ({})
const ofPatient: ValidCall = async (fixtures, as) => ({
  id: (await consentedPatient(fixtures, as)).patient,
})
const ofCase: ValidCall = async (fixtures, as) => ({ id: (await queuedCase(fixtures, as)).id })

/** The clinician is played by the sandbox, and is not there for a live key. */
const decided = async (fixtures: Fixtures, as: string, body: object): Promise<string> => {
  const { id } = await queuedCase(fixtures, as)
  await must(fixtures, 'decideCase', { as, id, body })
  return id
}

const ofApproval: ValidCall = async (fixtures, as) => ({
  id: await decided(fixtures, as, { decision: 'approve' }),
})

const ofVisit: ValidCall = async (fixtures, as) => ({ id: (await bookedVisit(fixtures, as)).id })

const modeOf = (as: string): Mode => (as.startsWith('svc_sk_live_') ? 'live' : 'test')

/** Whose key it is, and the books that are kept for its mode. */
const booksOf = (fixtures: Fixtures, as: string) => ({
  who: [fixtures.ada, fixtures.ben].find(one => [one.test, one.live].includes(as)) ?? fixtures.ada,
  mode: modeOf(as),
})

/** Nothing of the API makes an invoice: it is found as the books leave it. */
const ofInvoice: ValidCall = async (fixtures, as) => {
  const books = booksOf(fixtures, as)
  return { id: await invoiced(fixtures, books, [await charged(fixtures, books)]) }
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

/** An integration may have few endpoints, and the sweeps ask for many. */
const withRoom: ValidCall = async (fixtures, as) => {
  const { data } = await must(fixtures, 'listWebhookEndpoints', { as })
  if (data.length > 8) await clearEndpoints(fixtures, as)
  return {}
}

/** Deletes every endpoint of an integration, with all that waits for them. */
export async function clearEndpoints(fixtures: Fixtures, as = fixtures.ada.test): Promise<void> {
  const { data } = await must(fixtures, 'listWebhookEndpoints', { as, query: { limit: '100' } })
  for (const { id } of data) await must(fixtures, 'deleteWebhookEndpoint', { as, id })
}

/** Nobody dispatches while all is swept, so the oldest event is as late as the sweep is long. */
const inTime = (fixtures: Fixtures, as: string) => {
  const outbox = modeOf(as) === 'live' ? sql`live.outbox` : sql`test.outbox`
  return fixtures.owner.use(connection =>
    connection.run(sql`update ${outbox} set created_at = now()
                  where created_at < now() - interval '20 seconds'`),
  )
}

const ofEndpoint: ValidCall = async (fixtures, as) => {
  await inTime(fixtures, as)
  await withRoom(fixtures, as)
  return { id: (await must(fixtures, 'createWebhookEndpoint', { as, body: endpoint })).id }
}

/** An event of a case, and one endpoint to send it to. */
const ofRedelivery: ValidCall = async (fixtures, as) => {
  const { id: webhook_endpoint } = await ofEndpoint(fixtures, as)
  return { ...(await firstOf('listCaseEvents', ofCase)(fixtures, as)), body: { webhook_endpoint } }
}

/** The first of a list that a case has. */
const firstOf =
  (list: OperationId, validCall: ValidCall): ValidCall =>
  async (fixtures, as) => {
    const found = await must(fixtures, list, { as, ...(await validCall(fixtures, as)) })
    return { id: found.data[0].id }
  }

export const validCalls: Record<OperationId, ValidCall> = {
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
    id: await decided(fixtures, as, {
      decision: 'needs_info',
      target: 'patient',
      question: 'Have you ever had pancreatitis?',
    }),
    body: { answers: [{ answer: 'No.' }] },
  }),
  listCaseEvents: ofCase,
  listMessages: async (fixtures, as) => {
    const { id } = await queuedCase(fixtures, as)
    await must(fixtures, 'createMessage', { as, id, body: { body: 'Is it shipped yet?' } })
    return { id }
  },
  createMessage: async (fixtures, as) => ({
    ...(await ofCase(fixtures, as)),
    body: { body: 'Is it shipped yet?', author: 'patient' },
  }),
  listPrescriptions: ofApproval,
  getPrescription: firstOf('listPrescriptions', ofApproval),
  listOrders: ofApproval,
  getOrder: firstOf('listOrders', ofApproval),
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
    return { id: visit.id, at: joinable(visit) }
  },
  getUsage: none,
  listInvoices: none,
  getInvoice: ofInvoice,
  createExport: ofPatient,
  getPatientExport: async (fixtures, as) => {
    const { patient, id: job } = await exported(fixtures, as)
    return { id: patient, names: { job } }
  },
  getExport: exported,
  downloadExport: async (fixtures, as) => {
    const { id } = await exported(fixtures, as)
    await completed(fixtures)
    return { id }
  },
  createFile: async (fixtures, as) => {
    const { id, patient } = await queuedCase(fixtures, as)
    return { body: { patient, case: id, mime: 'image/png', size_bytes: photo.length } }
  },
  confirmFile: async (fixtures, as) => {
    const found = await reserved(fixtures, { as, case: (await queuedCase(fixtures, as)).id })
    await sent(fixtures, found)
    return { id: found.id, body: naming(found.patient) }
  },
  getFile: async (fixtures, as) => ({ id: (await reserved(fixtures, { as })).id }),
  deleteFile: async (fixtures, as) => ({ id: (await reserved(fixtures, { as })).id }),
  listEvents: async (fixtures, as) =>
    ofCase(fixtures, as).then(() => ({ query: 'include_resource=true' })),
  getEvent: firstOf('listCaseEvents', ofCase),
  redeliverEvent: ofRedelivery,
  createWebhookEndpoint: async (fixtures, as) => ({
    ...(await withRoom(fixtures, as)),
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
    await must(fixtures, 'redeliverEvent', { as, id, body })
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
  shipCase: ofApproval,
  deliverCase: async (fixtures, as) => {
    const { id = '' } = await ofApproval(fixtures, as)
    await must(fixtures, 'shipCase', { as, id })
    return { id }
  },
  blockCase: async (fixtures, as) => ({
    ...(await ofApproval(fixtures, as)),
    body: { reason: 'Out of stock until Thursday.' },
  }),
  failCase: ofApproval,
  getAutopilot: none,
  updateAutopilot: async () => ({ body: { approve_after_s: 30 } }),
  resetSandbox: async (fixtures, as) => ofApproval(fixtures, as).then(() => ({})),
  startVisit: ofVisit,
  completeVisit: async (fixtures, as) => {
    const { id } = await bookedVisit(fixtures, as)
    await must(fixtures, 'startVisit', { as, id })
    return { id }
  },
  noShowVisit: ofVisit,
  triggerWebhook: async (fixtures, as) => ({
    body: { type: 'order.shipped.v1', webhook_endpoint: (await ofEndpoint(fixtures, as)).id },
  }),
}
