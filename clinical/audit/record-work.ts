// The audit rows of what the worker changes in live mode on its own (database/migrations/). The
// statement that makes a change inserts them, so neither exists without the other.
// Decided in docs/decisions/0142-record-what-the-worker-does-in-live.md.

import type { Mode } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordsWork } from '../modes.ts'

/** Joined to the changed rows, inserts a row of the audit for each. `row` is its tenant and its id;
 *  or its tenant, null, a name, and how many of that name were changed. Nothing in test. */
export const recordWork = (mode: Mode, action: string, row: Statement): Statement =>
  recordsWork(mode) ? sql`cross join lateral record_work(${action}, ${row})` : sql``
