// The clinic's own bulk exports. They contain all of the clinic's records from an integration,
// including records that the integration no longer sees.

import { fhirTypeNames } from '#contract/fhir/resource-types.ts'
import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { actorOf, read, write } from '../console/handler.ts'
import {
  attachmentOf,
  bulkColumns,
  busy,
  deleteExport,
  presentExports,
  presentFile,
  startExport,
} from '../fhir/bulk/export.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'

export const listBulkExports = read('listBulkExports', call => ({
  rows: sql`
    select '' as id, json_build_object('data', coalesce(
             json_agg(row_to_json(w) order by w.integration ->> 'name'), '[]'))::text as item
      from (
        select (select row_to_json(i) from (select n.id, n.name) i) as integration, (
                 select row_to_json(x) from (
                   select ${bulkColumns} ${presentExports(true)} and b.tenant = t.id
                    order by b.id desc limit 1) x) as export
          from tenants t join auth.integrations n on n.id = t.integration
         where t.organization = ${call.principal.organization.id}) w`,
}))

export const startBulkExport = write('startBulkExport', {
  facts: call => sql`
    select exists (select from bulk_exports where tenant = ${tenantOf(call)}
                      and person is not null and status = 'running') as is_running`,
  decide: (call, _input, found: { is_running: boolean } | null) => {
    if (found?.is_running) throw busy()
    const id = call.mint('bulk_export', 0)
    const by = actorOf(call)
    return { id, request: '/console', types: fhirTypeNames, since: null, patients: null, by }
  },
  write: (call, started) => startExport(call, started, sql`go`),
})

export const downloadBulkFile = read('downloadBulkFile', (call, { id }, context) => ({
  rows: sql`select f.id, ${published(sql`f.type, f.object`)} as item ${presentFile(call, id, true)}`,
  attachment: attachmentOf(call, id, context),
}))

export const deleteBulkExport = write('deleteBulkExport', {
  facts: (call, { id }) => sql`
    select b.id ${presentExports(true)} and b.tenant = ${tenantOf(call)} and b.id = ${id}`,
  decide: (_call, _input, found: { id: string } | null) => {
    if (!found) throw new Problem('not_found')
    return found
  },
  write: deleteExport,
})
