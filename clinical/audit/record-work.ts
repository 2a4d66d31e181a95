// Writes audit rows for what the worker changes in live mode on its own (database/migrations/). The
// statement that makes a change also inserts its rows, so neither exists without the other. Decided
// in docs/decisions/0142-record-what-the-worker-does-in-live.md.

import type { Mode } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordsWork } from '../modes.ts'

/** Joins the changed rows and inserts an audit row for each in live mode, and nothing in test.
 *  `row` is a tenant and an ID; or a tenant, null, a name and how many rows with that name changed.
 */
export const recordWork = (mode: Mode, action: string, row: Statement): Statement =>
  recordsWork(mode) ? sql`cross join lateral record_work(${action}, ${row})` : sql``
