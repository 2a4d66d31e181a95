// Measures one side of a round, including the CPU time per request of the gateway and of all of
// PostgreSQL.
import { processorTime, processorTimeOfTree } from './machine.ts'
import { compact, median } from './rounds.ts'

export type Costs = { gatewayCost: number; databaseCost: number }
type RateSample = { answers: number; perSecond: number; p50: number; p99: number }

export type MeteredProcesses = { gateway: number | undefined; postmaster: number | undefined }

export async function meter<R extends RateSample>(
  { gateway, postmaster }: MeteredProcesses,
  work: () => Promise<R>,
): Promise<R & Costs> {
  const times = () => ({
    gateway: gateway === undefined ? Number.NaN : processorTime(gateway),
    database: processorTimeOfTree(postmaster),
  })
  const before = times()
  const rate = await work()
  const after = times()
  return {
    ...rate,
    gatewayCost: (after.gateway - before.gateway) / rate.answers,
    databaseCost: (after.database - before.database) / rate.answers,
  }
}

/** One line of medians: a side's rate, and each process's CPU time per request. */
export function costLine(
  name: string,
  runs: readonly (RateSample & Costs & { clientCost?: number })[],
) {
  const of = (read: (run: RateSample & Costs & { clientCost?: number }) => number) =>
    compact(median(runs.map(read)))
  const client = runs.some(run => run.clientCost !== undefined)
    ? `, client ${of(run => run.clientCost ?? Number.NaN)}`
    : ''
  return (
    `${name}: ${of(run => run.perSecond)}/s, p50 ${of(run => run.p50)} ms, p99 ${of(run => run.p99)} ms; ` +
    `µs of processor a request: gateway ${of(run => run.gatewayCost)}, ` +
    `PostgreSQL ${of(run => run.databaseCost)}${client}`
  )
}

/** Checks that every response had this status. */
export const allAnswered = (
  what: string,
  status: string,
  loads: readonly { answers: number; statuses: Record<string, number> }[],
) => ({
  what: `${what}: answers that are ${status}`,
  expected: loads.reduce((sum, run) => sum + run.answers, 0),
  found: loads.reduce((sum, run) => sum + (run.statuses[status] ?? 0), 0),
})
