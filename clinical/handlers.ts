// Each operation's handler. The compiler requires one of the right kind for every operation.

import type { operations } from '#contract/api.ts'
import type { Principal } from '#auth/principal.ts'
import type { Handlers } from './pipeline/handler.ts'
import { answerCase } from './cases/answer.ts'
import { createCase } from './cases/create.ts'
import { listCaseEvents } from './events/list-of-case.ts'
import { listCases } from './cases/list.ts'
import { cancelCase, releaseCase, withdrawCase } from './cases/move.ts'
import { getCase } from './cases/retrieve.ts'
import { listInvoices } from './billing/list.ts'
import { getInvoice } from './billing/retrieve.ts'
import { getUsage } from './billing/usage.ts'
import { listConsents } from './consents/list.ts'
import { recordConsent } from './consents/record.ts'
import { listEvents } from './events/list.ts'
import { redeliverEvent } from './deliveries/redeliver.ts'
import { getEvent } from './events/retrieve.ts'
import { createExport } from './exports/create.ts'
import { downloadExport } from './exports/download.ts'
import { getExport, getPatientExport } from './exports/retrieve.ts'
import { confirmFile } from './files/confirm.ts'
import { createFile } from './files/create.ts'
import { deleteFile } from './files/delete.ts'
import { getFile } from './files/retrieve.ts'
import { listMedications } from './medications/list.ts'
import { getMedication } from './medications/retrieve.ts'
import { createMessage } from './messages/create.ts'
import { listMessages } from './messages/list.ts'
import { listOrders } from './orders/list.ts'
import { getOrder } from './orders/retrieve.ts'
import { getOrganization } from './organization/retrieve.ts'
import { createPatient } from './patients/create.ts'
import { deletePatient } from './patients/delete.ts'
import { listPatients } from './patients/list.ts'
import { getPatient } from './patients/retrieve.ts'
import { updatePatient } from './patients/update.ts'
import { listPrescriptions } from './prescriptions/list.ts'
import { getPrescription } from './prescriptions/retrieve.ts'
import { createRealtimeToken } from './realtime/create-token.ts'
import { getAutopilot, updateAutopilot } from './sandbox/autopilot.ts'
import { decideCase } from './sandbox/decide.ts'
import { sendClinicianMessage } from './sandbox/message.ts'
import { blockCase, deliverCase, failCase, shipCase } from './sandbox/pharmacy.ts'
import { resetSandbox } from './sandbox/reset.ts'
import { completeVisit, noShowVisit, startVisit } from './sandbox/visits.ts'
import { bookVisit } from './visits/book.ts'
import { getJoinLink } from './visits/join.ts'
import { listSlots } from './visits/list-slots.ts'
import { cancelVisit } from './visits/cancel.ts'
import { rescheduleVisit } from './visits/reschedule.ts'
import { getVisit } from './visits/retrieve.ts'
import { triggerWebhook } from './sandbox/trigger.ts'
import { createWebhookEndpoint } from './webhooks/create.ts'
import { deleteWebhookEndpoint } from './webhooks/delete.ts'
import { listDeliveries } from './deliveries/list.ts'
import { listWebhookEndpoints } from './webhooks/list.ts'
import { getWebhookEndpoint } from './webhooks/retrieve.ts'
import { rotateWebhookSecret } from './webhooks/rotate.ts'
import { updateWebhookEndpoint } from './webhooks/update.ts'

export const handlers: Handlers<typeof operations, Principal> = {
  getOrganization,
  listMedications,
  getMedication,
  createPatient,
  listPatients,
  getPatient,
  updatePatient,
  deletePatient,
  recordConsent,
  listConsents,
  createCase,
  listCases,
  getCase,
  releaseCase,
  cancelCase,
  withdrawCase,
  answerCase,
  listCaseEvents,
  listMessages,
  createMessage,
  listPrescriptions,
  getPrescription,
  listOrders,
  getOrder,
  listSlots,
  bookVisit,
  getVisit,
  cancelVisit,
  rescheduleVisit,
  getJoinLink,
  getUsage,
  listInvoices,
  getInvoice,
  createExport,
  getPatientExport,
  getExport,
  downloadExport,
  createFile,
  confirmFile,
  getFile,
  deleteFile,
  listEvents,
  getEvent,
  redeliverEvent,
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  listDeliveries,
  decideCase,
  sendClinicianMessage,
  shipCase,
  deliverCase,
  blockCase,
  failCase,
  getAutopilot,
  updateAutopilot,
  resetSandbox,
  startVisit,
  completeVisit,
  noShowVisit,
  triggerWebhook,
  createRealtimeToken,
}
