// A table export as the API returns it, and the condition for rows that callers can see.

import type { ExportTable } from '#contract/preview/table-exports.ts'
import { limits } from '#contract/limits.ts'
import type { Principal } from '#auth/principal.ts'
import { sql, type Statement } from '#database/sql.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'

/** A table's file: its position in the export's object, and its digest. */
export type TableFile = {
  name: ExportTable
  rows: number
  start: number
  size_bytes: number
  sha256: string
}

export const tableExportColumns = sql`
  id, status, include_identity, nightly, iso(created_at) as created_at, iso(as_of) as as_of,
  iso(expires_at) as expires_at`

/** This caller's table exports, as the tail of a select. */
export const presentTableExports = (call: { principal: Pick<Principal, 'tenant'> }): Statement =>
  sql`
  from exports where tenant = ${tenantOf(call)} and patient is null
   and created_at > ${tenantNow} - ${limits.exportJobDays}::int * interval '1 day'`
