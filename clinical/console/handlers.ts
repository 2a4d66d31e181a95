// The handler of each operation of the console, as clinical/handlers.ts has those of /v1.

import type { consoleOperations } from '#contract/console.ts'
import type { Handlers } from '../pipeline/handler.ts'
import { listActivity, listIntegrations } from './activity.ts'
import { readChart, readPatient } from './chart.ts'
import { claimCase, unclaimCase } from './claim.ts'
import { approveCase, askQuestion, declineCase } from './decide.ts'
import { cancelRemoval, confirmRemoval, readFile, requestRemoval, viewFile } from './files.ts'
import { exportRecord } from '../records/export.ts'
import type { StaffPrincipal } from './handler.ts'
import { writeStaffMessage } from './message.ts'
import {
  blockOrder,
  deliverOrder,
  failOrder,
  listPharmacyOrders,
  readOrder,
  shipOrder,
  unblockOrder,
} from './orders.ts'
import { listQueue } from './queue.ts'
import { listAccess } from '../records/access.ts'
import { listDueRecords } from '../records/due.ts'
import { addDisclosure, listDisclosures } from '../records/disclosures.ts'
import { liftHold, listHolds, placeHold } from '../records/holds.ts'
import { resendOrder, takeOverOrder } from './transmissions.ts'
import {
  cancelClinicVisit,
  completeClinicVisit,
  listClinicVisits,
  missClinicVisit,
  moveClinicVisit,
  joinClinicVisit,
  startClinicVisit,
  readClinicVisit,
} from './visits.ts'

export const consoleHandlers: Handlers<typeof consoleOperations, StaffPrincipal> = {
  listQueue,
  readChart,
  claimCase,
  unclaimCase,
  approveCase,
  declineCase,
  askQuestion,
  writeMessage: writeStaffMessage,
  listPharmacyOrders,
  readOrder,
  shipOrder,
  deliverOrder,
  blockOrder,
  unblockOrder,
  failOrder,
  resendOrder,
  takeOverOrder,
  readPatient,
  readFile,
  viewFile,
  requestRemoval,
  cancelRemoval,
  confirmRemoval,
  exportRecord,
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
  listAccess,
}
