// Handlers for the console's table rows.
import type { ConsoleHandlers } from './context.ts'
import { showWork } from './frame/work.tsx'
import { activityHandlers } from './pages/administration/activity.tsx'
import { emergencyHandlers } from './pages/administration/emergency.tsx'
import { formularyHandlers } from './pages/administration/formulary.tsx'
import { grantHandlers } from './pages/administration/grants.tsx'
import { pharmacyHandlers } from './pages/administration/pharmacy.tsx'
import { settingsHandlers } from './pages/administration/settings.tsx'
import { staffHandlers } from './pages/administration/staff.tsx'
import { staffMemberHandlers } from './pages/administration/staff-member.tsx'
import {
  addAddendum,
  approve,
  ask,
  claim,
  decline,
  dismiss,
  unclaim,
  write,
  writeNote,
} from './pages/cases/acts.ts'
import { passkeyOptions } from './confirm.tsx'
import { findDiagnoses } from './pages/cases/codes.tsx'
import { skip, takeNext } from './pages/cases/next.ts'
import { showCase, showThread } from './pages/cases/case.tsx'
import { showDecided } from './pages/cases/decided.tsx'
import { showMessages } from './pages/cases/messages.tsx'
import { showQueue } from './pages/cases/queue.tsx'
import { removalHandlers } from './pages/files/acts.ts'
import { sendOriginal, showFile, showFilePage } from './pages/files/file.tsx'
import { block, deliver, fail, resend, ship, takeOver, unblock } from './pages/orders/acts.ts'
import { showOrders } from './pages/orders/list.tsx'
import { orderLabel, packingSlip } from './pages/orders/print.tsx'
import { showOrder } from './pages/orders/order.tsx'
import { exportRecord } from './pages/patients/export.ts'
import { showSearch } from './pages/search.tsx'
import { showPatients } from './pages/patients/find.tsx'
import { showPatient } from './pages/patients/patient.tsx'
import { accessHandlers } from './pages/records/access.tsx'
import { bulkExportHandlers } from './pages/records/bulk-exports.tsx'
import { recordHandlers } from './pages/records/record.tsx'
import { retentionHandlers } from './pages/records/retention.tsx'
import { preferenceHandlers } from './pages/preferences.tsx'
import { addException, addHours, removeHours } from './pages/schedule/acts.ts'
import { showSchedule } from './pages/schedule/schedule.tsx'
import {
  cancelVisit,
  completeVisit,
  joinVisit,
  missVisit,
  startVisit,
} from './pages/visits/acts.ts'
import { textHandlers } from './pages/texts/texts.tsx'
import { personHandlers } from './people.tsx'
import { moveVisit, showMove } from './pages/visits/move.tsx'
import { visitNoteHandlers } from './pages/visits/note.tsx'
import { showVisits } from './pages/visits/list.tsx'

export const handlers: ConsoleHandlers = {
  ...personHandlers,
  search: showSearch,
  work: showWork,
  queue: showQueue,
  decided: showDecided,
  messages: showMessages,
  takeNext,
  skip,
  passkeyOptions,
  case: showCase,
  claim,
  unclaim,
  approve,
  decline,
  ask,
  write,
  dismiss,
  writeNote,
  addAddendum,
  diagnoses: findDiagnoses,
  ...visitNoteHandlers,
  thread: showThread,
  patients: showPatients,
  patient: showPatient,
  exportRecord,
  file: showFile,
  filePage: showFilePage,
  downloadFile: sendOriginal,
  ...removalHandlers,
  orders: showOrders,
  order: showOrder,
  orderLabel,
  packingSlip,
  ship,
  deliver,
  block,
  unblock,
  fail,
  resend,
  takeOver,
  ...grantHandlers,
  ...staffHandlers,
  ...staffMemberHandlers,
  ...formularyHandlers,
  ...activityHandlers,
  ...emergencyHandlers,
  ...pharmacyHandlers,
  ...settingsHandlers,
  visits: showVisits,
  joinVisit,
  startVisit,
  completeVisit,
  missVisit,
  cancelVisit,
  showMove,
  moveVisit,
  ...preferenceHandlers,
  schedule: showSchedule,
  addHours,
  addException,
  removeHours,
  ...textHandlers,
  ...recordHandlers,
  ...accessHandlers,
  ...retentionHandlers,
  ...bulkExportHandlers,
}
