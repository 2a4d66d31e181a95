// Writes audit rows for the worker's own changes in live mode (database/migrations/). The statement
// that makes a change also inserts the audit rows, so no change exists without its row. Decided in
// docs/decisions/0142-record-what-the-worker-does-in-live.md.

import type { Mode } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordsWork } from '../modes.ts'

/** In live mode, joins the changed rows and inserts an audit row for each; in test mode, adds
 *  nothing. `row` is a tenant and the ID of one changed row. For many rows, it's a tenant, null, a
 *  name for the rows, and their number. */
export const recordWork = (mode: Mode, action: string, row: Statement): Statement =>
  recordsWork(mode) ? sql`cross join lateral record_work(${action}, ${row})` : sql``
