// Every operation of the console of a clinic, one row each: the staff of one organization, in live
// mode, with all of its patients.

import { activityRows } from './console/activity.ts'
import { caseRows } from './console/cases.ts'
import { fileRows } from './console/files.ts'
import { orderRows } from './console/orders.ts'
import { patientRows } from './console/patients.ts'
import { recordExportRows } from './console/record-export.ts'
import { recordRows } from './console/records.ts'
import { visitRows } from './console/visits.ts'

export const consoleOperations = {
  ...caseRows,
  ...orderRows,
  ...patientRows,
  ...fileRows,
  ...recordExportRows,
  ...activityRows,
  ...visitRows,
  ...recordRows,
}
export type ConsoleId = keyof typeof consoleOperations
