// Every operation in a clinic's console, one row each. Callers are one organization's staff, in
// live mode, with access to all of its patients.

import { activityRows } from './activity.ts'
import { bulkExportRows } from './bulk-exports.ts'
import { caseRows } from './cases.ts'
import { fileRows } from './files.ts'
import { noteRows } from './notes.ts'
import { orderRows } from './orders.ts'
import { patientRows } from './patients.ts'
import { recordExportRows } from './record-export.ts'
import { recordRows } from './records.ts'
import { visitRows } from './visits.ts'

export const consoleOperations = {
  ...caseRows,
  ...orderRows,
  ...patientRows,
  ...fileRows,
  ...recordExportRows,
  ...bulkExportRows,
  ...activityRows,
  ...visitRows,
  ...recordRows,
  ...noteRows,
}
export type ConsoleId = keyof typeof consoleOperations
