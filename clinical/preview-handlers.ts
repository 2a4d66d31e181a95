// The handler for each preview operation, like clinical/handlers.ts for /v1.

import type { previewOperations } from '#contract/preview/operations.ts'
import type { Principal } from '#auth/principal.ts'
import type { Handlers } from './pipeline/handler.ts'
import { getConsentVersions, publishConsentVersion } from './consents/versions.ts'
import { createDestination } from './destinations/create.ts'
import { deleteDestination } from './destinations/delete.ts'
import { getDestination, listDestinations } from './destinations/list.ts'
import { updateDestination } from './destinations/update.ts'
import { getExportSchedule, setExportSchedule } from './exports/schedule.ts'
import { createTableExport, getTableExport, listTableExports } from './exports/tables.ts'
import { getMetrics } from './metrics/read.ts'
import { cancelReplay } from './replays/cancel.ts'
import { replayEvents } from './replays/create.ts'
import { getReplay } from './replays/retrieve.ts'
import { listRequests } from './requests/list.ts'
import { getTestClock, setTestClock } from './sandbox/clock.ts'
import { getRequest } from './requests/retrieve.ts'

export const previewHandlers: Handlers<typeof previewOperations, Principal> = {
  listRequests,
  getRequest,
  replayEvents,
  getReplay,
  cancelReplay,
  createDestination,
  listDestinations,
  getDestination,
  updateDestination,
  deleteDestination,
  createTableExport,
  listTableExports,
  getTableExport,
  getExportSchedule,
  setExportSchedule,
  getMetrics,
  getTestClock,
  setTestClock,
  getConsentVersions,
  publishConsentVersion,
}
