// A list page from a short table and from a long table: two databases, two gateways, and the same
// request. Each side has one connection, so no response time includes waiting in a queue.
import { table } from '#contract/api.ts'
import { allAnswered } from './meter.ts'
import type { BenchEnvironment, Tenant } from './environment.ts'
import { type Load, load, requestText } from './load.ts'
import type { Options } from './options.ts'
import { planOf } from './plans.ts'
import { compact, interleave, median, type Result, rowOf } from './rounds.ts'
import type { Server } from './server.ts'
import type { List } from './statement.ts'
import { type TargetId, targetOf } from '../targets.ts'

export type Log = { environment: BenchEnvironment; gateway: Server; tenant: Tenant; rows: number }

export type Input = { limit: number } & Record<string, string | number>

/** A request that returns a full page from both tables. */
export type Page = { list: List; name: string; input(rows: number): Input; target?: TargetId }

const queryOf = (input: Input): URLSearchParams =>
  new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]),
  )

const pathOf = ({ list, input }: Page, rows: number): string =>
  `${table[list].path}?${queryOf(input(rows))}`

export async function pageCost(
  options: Options,
  page: Page,
  short: Log,
  long: Log,
): Promise<Result> {
  const loads: Load[] = []
  const side = ({ gateway, tenant, rows }: Log) => {
    const headers = { authorization: `Bearer ${tenant.key}` }
    const texts = [requestText('GET', pathOf(page, rows), headers)]
    const { requestsMax } = options
    const seconds = options.seconds / 2
    return async () => {
      const run = await load({ port: gateway.port, connections: 1, seconds, requestsMax, texts })
      loads.push(run)
      return run
    }
  }
  const runs = await interleave(options.rounds, { long: side(long), short: side(short) })
  const p50 = (name: string) => (runs[name] ?? []).map(run => run.p50)
  const p99 = (name: string) => compact(median((runs[name] ?? []).map(run => run.p99)))
  const { list, input } = page
  const name = `GET ${table[list].path}, ${page.name}`
  const planIn = ({ environment, tenant, rows }: Log) =>
    planOf(environment, tenant, list, queryOf(input(rows)))
  const [plan, other] = [await planIn(long), await planIn(short)]
  const items = await Promise.all([short, long].map(log => itemsOf(log, page)))
  return {
    rows: [
      rowOf({
        job: `${name}, ${compact(long.rows)} rows, p50`,
        unit: 'ms',
        ours: p50('long'),
        peer: { name: `the same at ${compact(short.rows)} rows`, rounds: p50('short') },
        target: targetOf(page.target ?? 'P4'),
      }),
    ],
    notes: [
      `${name}: p99 ${p99('long')} and ${p99('short')} ms; ` +
        `blocks ${plan.blocks} and ${other.blocks}; plan ${plan.text}`,
    ],
    proofs: [
      allAnswered(name, '200', loads),
      { what: `${name}: sorts and scans of a whole table`, expected: 0, found: plan.faults },
      ...items.map(found => ({ what: `${name}: items`, expected: input(0).limit, found })),
    ],
  }
}

async function itemsOf({ gateway, tenant, rows }: Log, page: Page): Promise<number> {
  const url = `http://127.0.0.1:${gateway.port}${pathOf(page, rows)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.key}` } })
  const { data }: { data?: unknown[] } = await response.json()
  return data?.length ?? 0
}
