// Exports for tests, with a patient who has everything a bundle contains.

import { queuedCase, invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { attachFile } from './files.ts'
import { completeExports, completeMode } from '../exports/complete.ts'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { writeFiles } from '../fhir/bulk/job.ts'
import { queryAsOwner } from './assertions.ts'
import type { StaffMember, TestConsole } from './staff.ts'

/** Requests an export for a new patient with a case and a file. */
export async function requestExport(fixtures: Fixtures, as: string = fixtures.ada.test) {
  const { id: theCase, patient } = await queuedCase(fixtures, as)
  await attachFile(fixtures, { as, case: theCase })
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  return { id: id as string, patient }
}

/** Completes pending exports, as the worker does. */
export async function completePending(fixtures: Fixtures): Promise<number> {
  const { workerContext } = fixtures
  const { files, base } = fixtures.context
  return completeExports(workerContext, { files, base })
}

/** Completes pending exports in a key's mode only. */
export const completeWith = ({ workerContext, context: { files, base } }: Fixtures, as: string) =>
  completeMode(as.startsWith('svc_sk_live_') ? 'live' : 'test', workerContext, { files, base })

/** Writes bulk exports' files, as the worker does. */
export const writeBulkFiles = (fixtures: Fixtures, mode: Mode = 'live'): Promise<number> =>
  writeFiles(fixtures.workerContext, mode, fixtures.context)

/** Lets another bulk export start. */
export const endBulkExports = (fixtures: Fixtures) =>
  queryAsOwner(fixtures, sql`update live.bulk_exports set status = 'completed'`)

type Listed = { integration: { id: string }; export: { id: string; files: { id: string }[] } }

/** Exports an integration's patients for its clinic. Returns an ID for each kind in console paths,
 *  and the IDs of all files. */
export async function bulkExported(
  fixtures: Fixtures,
  staff: Pick<TestConsole, 'ok'>,
  { as, id }: { as: StaffMember; id: string },
) {
  await staff.ok('startBulkExport', { as, id })
  await writeBulkFiles(fixtures)
  const { data }: { data: Listed[] } = await staff.ok('listBulkExports', { as })
  const found = data.find(({ integration }) => integration.id === id)?.export
  const files = found?.files.map(file => file.id) ?? []
  const ids = { integrations: id, exports: found?.id ?? '', 'export-files': files[0] ?? '' }
  return { ids, files }
}

/** Valid calls for table exports and metrics; one table export at a time can be pending. */
export const dataOutCalls = {
  createTableExport: async (fixtures: Fixtures, as: string) => {
    await completeWith(fixtures, as)
    return { body: {} }
  },
  listTableExports: async () => ({}),
  getTableExport: async (fixtures: Fixtures, as: string) => {
    await completeWith(fixtures, as)
    const { id } = await invokeOk(fixtures, 'createTableExport', { as, body: {} })
    return { id: id as string }
  },
  getExportSchedule: async () => ({}),
  setExportSchedule: async () => ({ body: { nightly: true } }),
  getMetrics: async () => ({ query: 'metric=cases_by_status' }),
}
