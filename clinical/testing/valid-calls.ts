// A valid call of every operation, with the world it needs. The compiler demands one for every row
// of the table, so that a new row is swept by the tests of all rows on the day it is written.

import type { OperationId } from '#contract/api.ts'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { agreedPatient, type Asked, filedCase, filing, must, rivera, semaglutide } from './call.ts'
import { charged, invoiced } from './invoices.ts'
import { completed, exported } from './exports.ts'
import { naming, photo, reserved, sent } from './files.ts'
import type { Cast } from './fixtures.ts'
import { bookedVisit, freeSlot, freeStarts, joinable } from './visits.ts'

/** Makes the world, as the holder of a key, and answers what to ask for in it. */
type Scene = (cast: Cast, as: string) => Promise<Asked>

const none: Scene = async () => ({})
const ofPatient: Scene = async (cast, as) => ({ id: (await agreedPatient(cast, as)).patient })
const ofCase: Scene = async (cast, as) => ({ id: (await filedCase(cast, as)).id })

/** The clinician is played by the sandbox, and is not there for a live key. */
const decided = async (cast: Cast, as: string, body: object): Promise<string> => {
  const { id } = await filedCase(cast, as)
  await must(cast, 'decideCase', { as, id, body })
  return id
}

const ofApproval: Scene = async (cast, as) => ({
  id: await decided(cast, as, { decision: 'approve' }),
})

const ofVisit: Scene = async (cast, as) => ({ id: (await bookedVisit(cast, as)).id })

const modeOf = (as: string): Mode => (as.startsWith('svc_sk_live_') ? 'live' : 'test')

/** Whose key it is, and the books that are kept for its mode. */
const booksOf = (cast: Cast, as: string) => ({
  who: [cast.ada, cast.ben].find(one => [one.test, one.live].includes(as)) ?? cast.ada,
  mode: modeOf(as),
})

/** Nothing of the API makes an invoice: it is found as the books leave it. */
const ofInvoice: Scene = async (cast, as) => {
  const books = booksOf(cast, as)
  return { id: await invoiced(cast, books, [await charged(cast, books)]) }
}

const withReason =
  (scene: Scene): Scene =>
  async (cast, as) => ({ ...(await scene(cast, as)), body: { reason: 'Ordered twice.' } })

export const endpoint = {
  url: 'https://hooks.brand.example/clinical',
  event_types: ['case.approved.v1', 'order.shipped.v1'],
  description: 'Production order pipeline',
}

/** An integration may have few endpoints, and the sweeps ask for many. */
const withRoom: Scene = async (cast, as) => {
  const { data } = await must(cast, 'listWebhookEndpoints', { as })
  if (data.length > 8) await clearEndpoints(cast, as)
  return {}
}

/** Deletes every endpoint of an integration, with all that waits for them. */
export async function clearEndpoints(cast: Cast, as = cast.ada.test): Promise<void> {
  const { data } = await must(cast, 'listWebhookEndpoints', { as, query: { limit: '100' } })
  for (const { id } of data) await must(cast, 'deleteWebhookEndpoint', { as, id })
}

/** Nobody dispatches while all is swept, so the oldest event is as late as the sweep is long. */
const inTime = (cast: Cast, as: string) => {
  const outbox = modeOf(as) === 'live' ? sql`live.outbox` : sql`test.outbox`
  return cast.owner.use(lane =>
    lane.run(sql`update ${outbox} set created_at = now()
                  where created_at < now() - interval '20 seconds'`),
  )
}

const ofEndpoint: Scene = async (cast, as) => {
  await inTime(cast, as)
  await withRoom(cast, as)
  return { id: (await must(cast, 'createWebhookEndpoint', { as, body: endpoint })).id }
}

/** An event of a case, and one endpoint to send it to. */
const ofRedelivery: Scene = async (cast, as) => {
  const { id: webhook_endpoint } = await ofEndpoint(cast, as)
  return { ...(await firstOf('listCaseEvents', ofCase)(cast, as)), body: { webhook_endpoint } }
}

/** The first of a list that a case has. */
const firstOf =
  (list: OperationId, scene: Scene): Scene =>
  async (cast, as) => {
    const found = await must(cast, list, { as, ...(await scene(cast, as)) })
    return { id: found.data[0].id }
  }

export const scenes: Record<OperationId, Scene> = {
  getOrganization: none,
  listMedications: none,
  getMedication: async () => ({ id: semaglutide }),
  createPatient: async () => ({ body: rivera }),
  listPatients: async (cast, as) => ofPatient(cast, as).then(() => ({})),
  getPatient: ofPatient,
  updatePatient: async (cast, as) => ({
    ...(await ofPatient(cast, as)),
    body: { first_name: 'Grace', middle_name: 'Q', address: { ...rivera.address, line2: null } },
  }),
  deletePatient: async (cast, as) => ({ id: (await filedCase(cast, as)).patient }),
  recordConsent: async (cast, as) => ({
    ...(await ofPatient(cast, as)),
    body: { kind: 'privacy', version: '2026-11-01', accepted_at: '2026-10-01T09:00:00+02:00' },
  }),
  listConsents: ofPatient,
  createCase: async (cast, as) => ({ body: filing(await agreedPatient(cast, as)) }),
  listCases: async (cast, as) => ofCase(cast, as).then(() => ({})),
  getCase: ofCase,
  releaseCase: async (cast, as) => ({ id: (await filedCase(cast, as, { hold: true })).id }),
  cancelCase: withReason(ofCase),
  withdrawCase: withReason(ofCase),
  answerCase: async (cast, as) => ({
    id: await decided(cast, as, {
      decision: 'needs_info',
      target: 'patient',
      question: 'Have you ever had pancreatitis?',
    }),
    body: { answers: [{ answer: 'No.' }] },
  }),
  listCaseEvents: ofCase,
  listMessages: async (cast, as) => {
    const { id } = await filedCase(cast, as)
    await must(cast, 'createMessage', { as, id, body: { body: 'Is it shipped yet?' } })
    return { id }
  },
  createMessage: async (cast, as) => ({
    ...(await ofCase(cast, as)),
    body: { body: 'Is it shipped yet?', author: 'patient' },
  }),
  listPrescriptions: ofApproval,
  getPrescription: firstOf('listPrescriptions', ofApproval),
  listOrders: ofApproval,
  getOrder: firstOf('listOrders', ofApproval),
  listSlots: async () => ({ query: 'state=CA' }),
  bookVisit: async (cast, as) => {
    const { patient, starts_at } = await freeSlot(cast, as)
    return { body: { patient, starts_at } }
  },
  getVisit: ofVisit,
  cancelVisit: ofVisit,
  rescheduleVisit: async (cast, as) => {
    const { id, state } = await bookedVisit(cast, as)
    return { id, body: { starts_at: (await freeStarts(cast, state, as))[0] } }
  },
  getJoinLink: async (cast, as) => {
    const visit = await bookedVisit(cast, as)
    return { id: visit.id, at: joinable(visit) }
  },
  getUsage: none,
  listInvoices: none,
  getInvoice: ofInvoice,
  createExport: ofPatient,
  getPatientExport: async (cast, as) => {
    const { patient, id: job } = await exported(cast, as)
    return { id: patient, names: { job } }
  },
  getExport: exported,
  downloadExport: async (cast, as) => {
    const { id } = await exported(cast, as)
    await completed(cast)
    return { id }
  },
  createFile: async (cast, as) => {
    const { id, patient } = await filedCase(cast, as)
    return { body: { patient, case: id, mime: 'image/png', size_bytes: photo.length } }
  },
  confirmFile: async (cast, as) => {
    const found = await reserved(cast, { as, case: (await filedCase(cast, as)).id })
    await sent(cast, found)
    return { id: found.id, body: naming(found.patient) }
  },
  getFile: async (cast, as) => ({ id: (await reserved(cast, { as })).id }),
  deleteFile: async (cast, as) => ({ id: (await reserved(cast, { as })).id }),
  listEvents: async (cast, as) => ofCase(cast, as).then(() => ({ query: 'include_resource=true' })),
  getEvent: firstOf('listCaseEvents', ofCase),
  redeliverEvent: ofRedelivery,
  createWebhookEndpoint: async (cast, as) => ({ ...(await withRoom(cast, as)), body: endpoint }),
  listWebhookEndpoints: async (cast, as) => ofEndpoint(cast, as).then(() => ({})),
  getWebhookEndpoint: ofEndpoint,
  updateWebhookEndpoint: async (cast, as) => ({
    ...(await ofEndpoint(cast, as)),
    body: { event_types: ['*'], include_resource: true, description: null, status: 'disabled' },
  }),
  deleteWebhookEndpoint: ofEndpoint,
  rotateWebhookSecret: ofEndpoint,
  listDeliveries: async (cast, as) => {
    const { id = '', body } = await ofRedelivery(cast, as)
    await must(cast, 'redeliverEvent', { as, id, body })
    return { id: (body as { webhook_endpoint: string }).webhook_endpoint }
  },
  createRealtimeToken: none,
  decideCase: async (cast, as) => ({
    ...(await ofCase(cast, as)),
    body: { decision: 'approve', plan: [{ medication_id: semaglutide, quantity: 2 }] },
  }),
  sendClinicianMessage: async (cast, as) => ({
    ...(await ofCase(cast, as)),
    body: { body: 'Take it on the same day of every week.' },
  }),
  shipCase: ofApproval,
  deliverCase: async (cast, as) => {
    const { id = '' } = await ofApproval(cast, as)
    await must(cast, 'shipCase', { as, id })
    return { id }
  },
  blockCase: async (cast, as) => ({
    ...(await ofApproval(cast, as)),
    body: { reason: 'Out of stock until Thursday.' },
  }),
  failCase: ofApproval,
  getAutopilot: none,
  updateAutopilot: async () => ({ body: { approve_after_s: 30 } }),
  resetSandbox: async (cast, as) => ofApproval(cast, as).then(() => ({})),
  startVisit: ofVisit,
  completeVisit: async (cast, as) => {
    const { id } = await bookedVisit(cast, as)
    await must(cast, 'startVisit', { as, id })
    return { id }
  },
  noShowVisit: ofVisit,
  triggerWebhook: async (cast, as) => ({
    body: { type: 'order.shipped.v1', webhook_endpoint: (await ofEndpoint(cast, as)).id },
  }),
}
