// A sandbox's clock in tests: a worker that advances it, and functions that wait for an advance.

import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openTestWorker, type Settings } from '../deliveries/engine/testing/worker.ts'
import { exportsJob } from '../exports/complete.ts'
import { fileJobs } from '../files/jobs.ts'
import { openAdvanceJob } from '../sandbox/advance.ts'
import { queryAsOwner } from './assertions.ts'
import { invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'

/** Sends webhooks, completes exports and advances clocks. The autopilot runs only during an
 *  advance. */
export const openClockWorker = (fixtures: Fixtures, settings: Settings = {}) =>
  openTestWorker(fixtures, {
    ...settings,
    jobs: jobs => [
      ...jobs,
      openAdvanceJob(),
      exportsJob(fixtures.context),
      ...fileJobs({ files: fixtures.context.files, scanner: null }),
    ],
  })

/** Milliseconds since 1970 by a sandbox's clock; defaults to Ada's. */
export async function sandboxNow(
  fixtures: Fixtures,
  integration = fixtures.ada.integration,
): Promise<number> {
  const [row] = await queryAsOwner<{ now: number }>(
    fixtures,
    sql`select (extract(epoch from clock_timestamp()) * 1000 + ahead_ms)::float8 as now
          from test.tenants
         where integration = ${integration} and organization is null and retired_at is null`,
  )
  return row?.now ?? Number.NaN
}

/** Requests an advance to a time, for a worker to perform. */
export const startAdvance = (fixtures: Fixtures, to: number, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'setTestClock', { as, body: { set_to: new Date(to).toISOString() } })

export const isAdvancing = async (fixtures: Fixtures, as = fixtures.ada.test): Promise<boolean> =>
  (await invokeOk(fixtures, 'getTestClock', { as })).is_advancing

/** Advances a sandbox to a time, and waits until it has arrived. */
export async function advanceTo(fixtures: Fixtures, to: number): Promise<void> {
  await startAdvance(fixtures, to)
  await until(async () => !(await isAdvancing(fixtures)))
}

export const advanceBy = async (fixtures: Fixtures, seconds: number): Promise<void> => {
  await invokeOk(fixtures, 'setTestClock', { body: { advance_by_s: seconds } })
  await until(async () => !(await isAdvancing(fixtures)))
}
