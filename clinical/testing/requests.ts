// Helps tests wait for the request log.

import { type Mode, modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { projectRequests } from '../requests/project.ts'
import { queryAsOwner } from './assertions.ts'
import type { Fixtures } from './fixtures.ts'

/** Brings the request log up to date, as the worker does every second. Repeats, because it waits
 *  for transactions open anywhere on the server. */
export async function projectAll(
  fixtures: Fixtures,
  ofModes: readonly Mode[] = modes,
): Promise<void> {
  await fixtures.context.auditWriter.flush()
  await until(async () => {
    await projectRequests(fixtures.workerContext, ofModes)
    const done = await Promise.all(ofModes.map(mode => isProjected(fixtures, mode)))
    return !done.includes(false)
  })
}

async function isProjected(fixtures: Fixtures, mode: Mode): Promise<boolean> {
  const log = mode === 'test' ? sql`test.request_log` : sql`live.request_log`
  const [row] = await queryAsOwner<{ done: boolean }>(
    fixtures,
    sql`select upper >= seen_xid and seen_seq = (select last_value from audit.entries_seq_seq) as done
          from ${log}`,
  )
  return row?.done === true
}
