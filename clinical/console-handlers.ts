// The handler for each console operation, like clinical/handlers.ts for /v1.

import type { consoleOperations } from '#contract/console/operations.ts'
import type { Handlers } from './pipeline/handler.ts'
import { listActivity, listIntegrations } from './console/activity.ts'
import { readChart, readPatient } from './console/chart.ts'
import { claimCase, unclaimCase } from './console/claim.ts'
import { approveCase, askQuestion, declineCase } from './console/decide.ts'
import {
  cancelRemoval,
  confirmRemoval,
  readFile,
  requestRemoval,
  viewFile,
  downloadFile,
} from './console/files.ts'
import { findDiagnoses } from './console/diagnoses.ts'
import {
  deleteBulkExport,
  downloadBulkFile,
  listBulkExports,
  startBulkExport,
} from './records/bulk-exports.ts'
import { exportRecord } from './records/export.ts'
import type { StaffPrincipal } from './console/handler.ts'
import { writeStaffMessage } from './console/message.ts'
import {
  blockOrder,
  deliverOrder,
  failOrder,
  listPastOrders,
  listPharmacyOrders,
  readOrder,
  shipOrder,
  unblockOrder,
} from './console/orders.ts'
import { listDecided, listQueue } from './console/queue.ts'
import { findPatients, listClinicPatients } from './console/patients.ts'
import { findNextCase } from './console/next.ts'
import {
  addAddendum,
  saveCaseNote,
  saveVisitNote,
  signCaseNote,
  signVisitNote,
} from './console/notes.ts'
import { dismissMessages, listUnanswered } from './console/unanswered.ts'
import { listAccess } from './records/access.ts'
import { listDueRecords } from './records/due.ts'
import { addDisclosure, listDisclosures } from './records/disclosures.ts'
import { liftHold, listHolds, placeHold } from './records/holds.ts'
import { resendOrder, takeOverOrder } from './console/transmissions.ts'
import {
  cancelClinicVisit,
  completeClinicVisit,
  listClinicVisits,
  missClinicVisit,
  moveClinicVisit,
  joinClinicVisit,
  startClinicVisit,
  readClinicVisit,
} from './console/visits.ts'

export const consoleHandlers: Handlers<typeof consoleOperations, StaffPrincipal> = {
  listQueue,
  listDecided,
  listUnanswered,
  findNextCase,
  readChart,
  claimCase,
  unclaimCase,
  approveCase,
  declineCase,
  askQuestion,
  writeMessage: writeStaffMessage,
  dismissMessages,
  listPharmacyOrders,
  listPastOrders,
  readOrder,
  shipOrder,
  deliverOrder,
  blockOrder,
  unblockOrder,
  failOrder,
  resendOrder,
  takeOverOrder,
  findPatients,
  listClinicPatients,
  readPatient,
  readFile,
  viewFile,
  downloadFile,
  requestRemoval,
  cancelRemoval,
  confirmRemoval,
  exportRecord,
  listBulkExports,
  startBulkExport,
  downloadBulkFile,
  deleteBulkExport,
  listActivity,
  listIntegrations,
  listClinicVisits,
  readClinicVisit,
  joinClinicVisit,
  startClinicVisit,
  completeClinicVisit,
  missClinicVisit,
  cancelClinicVisit,
  moveClinicVisit,
  listDisclosures,
  addDisclosure,
  listHolds,
  placeHold,
  liftHold,
  listDueRecords,
  saveCaseNote,
  signCaseNote,
  saveVisitNote,
  signVisitNote,
  findDiagnoses,
  addAddendum,
  listAccess,
}
