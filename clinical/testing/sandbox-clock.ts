// The clock of a sandbox in tests: a worker that advances it, and an advance that has arrived.

import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openTestWorker, type Settings } from '../webhooks/delivery/testing/worker.ts'
import { fileJobs } from '../files/jobs.ts'
import { openAdvanceJob } from '../sandbox/advance.ts'
import { queryAsOwner } from './assertions.ts'
import type { Fixtures } from './fixtures.ts'

/** Sends webhooks, completes exports and advances clocks. The autopilot runs only in an advance. */
export const openClockWorker = (fixtures: Fixtures, settings: Settings = {}) =>
  openTestWorker(fixtures, {
    ...settings,
    jobs: jobs => [
      ...jobs,
      openAdvanceJob(),
      ...fileJobs({ files: fixtures.context.files, base: fixtures.context.base }),
    ],
  })

/** Milliseconds since 1970 by the clock of a sandbox; of Ada's when left out. */
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

/** Asks for an advance, to be made by a worker. */
export const startAdvance = (fixtures: Fixtures, to: number, integration: string) =>
  queryAsOwner(
    fixtures,
    sql`insert into test.sandbox_advances (integration, target)
        values (${integration}, ${new Date(to).toISOString()}::timestamptz)`,
  )

export const isAdvancing = async (fixtures: Fixtures, integration: string): Promise<boolean> =>
  (
    await queryAsOwner(
      fixtures,
      sql`select from test.sandbox_advances where integration = ${integration}`,
    )
  ).length > 0

/** Advances Ada's sandbox to a time, and waits until it has arrived. */
export async function advanceTo(
  fixtures: Fixtures,
  to: number,
  integration = fixtures.ada.integration,
): Promise<void> {
  await startAdvance(fixtures, to, integration)
  await until(async () => !(await isAdvancing(fixtures, integration)))
}

export const advanceBy = async (fixtures: Fixtures, seconds: number): Promise<void> =>
  advanceTo(fixtures, (await sandboxNow(fixtures)) + seconds * 1000)
