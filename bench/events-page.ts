// Pages of GET /v1/events on a short log and on a long one: two databases, two gateways, the same
// questions. A page must cost what it holds, and not what lies around it.
import type { EventType } from '#contract/events.ts'
import { lastIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { fillEvents, firstMoment, millisecondsApart } from './fill-events.ts'
import { allAnswered } from './gauge.ts'
import type { Cluster, House, Tenant } from './house.ts'
import { type Load, load, requestText } from './load.ts'
import type { Options } from './options.ts'
import { planOf } from './plans.ts'
import { atMost, compact, interleave, median, type Proof, type Result, rowOf } from './rounds.ts'
import type { Server } from './server.ts'

type Log = { house: House; gateway: Server; tenant: Tenant; rows: number }

type Input = { limit: number; starting_after?: string; since?: string; type?: EventType }
type Page = { name: string; input(rows: number): Input }

const momentOf = (event: number) => firstMoment + event * millisecondsApart
const idBefore = (event: number) => lastIdOf('evt', momentOf(event) - 1)

/** Pages that are full in either log: the rare type has one event in a hundred. */
const pages: readonly Page[] = [20, 100].flatMap(limit => [
  { name: `first ${limit}`, input: () => ({ limit }) },
  {
    name: `${limit} from the middle`,
    input: (rows: number) => ({ limit, starting_after: idBefore(rows >> 1) }),
  },
  {
    name: `${limit} since, near the end`,
    input: (rows: number) => ({ limit, since: new Date(momentOf(rows - 150)).toISOString() }),
  },
  {
    name: `${limit} of a common type, from the middle`,
    input: (rows: number) => ({
      limit,
      type: 'case.in_review.v1' as const,
      starting_after: idBefore(rows >> 1),
    }),
  },
  { name: `${limit} of a rare type`, input: () => ({ limit, type: 'order.failed.v1' as const }) },
])

const sizesOf = ({ isShort, isLarge }: Options): [number, number] => {
  if (isShort) return [2_500, 5_000]
  return [10_000, isLarge ? 10_000_000 : 1_000_000]
}

export async function eventsPage(options: Options, cluster: Cluster): Promise<Result> {
  const [few, many] = sizesOf(options)
  return cluster.withHouse('events_few', async fewHouse =>
    cluster.withHouse('events_many', async manyHouse => {
      const [short, long] = [await openLog(fewHouse, few), await openLog(manyHouse, many)]
      const results: Result[] = []
      for (const page of options.isShort ? pages.slice(0, 5) : pages) {
        results.push(await measure(options, page, short, long))
      }
      const proofs = await Promise.all([short, long].map(proofsOf))
      return {
        rows: results.flatMap(({ rows }) => rows),
        notes: results.flatMap(({ notes }) => notes),
        proofs: [...results.flatMap(({ proofs }) => proofs), ...proofs.flat()],
      }
    }),
  )
}

async function openLog(house: House, rows: number): Promise<Log> {
  const [tenant] = await house.openTenants(1)
  if (!tenant) throw new Error('One tenant was opened.')
  await fillEvents(house, tenant.stream, rows)
  return { house, tenant, rows, gateway: await house.openGateway() }
}

const queryOf = (input: Input): URLSearchParams =>
  new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]),
  )

const pathOf = (input: Input): string => `/v1/events?${queryOf(input)}`

/** One connection, so that what is measured is the answer and not the queue before it. */
async function measure(options: Options, page: Page, short: Log, long: Log): Promise<Result> {
  const loads: Load[] = []
  const side = ({ gateway, tenant, rows }: Log) => {
    const headers = { authorization: `Bearer ${tenant.key}` }
    const texts = [requestText('GET', pathOf(page.input(rows)), headers)]
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
  const sizes = `${compact(long.rows)} rows`
  const plan = await planOf(long.house, long.tenant, queryOf(page.input(long.rows)))
  const items = await Promise.all([short, long].map(log => itemsOf(log, page.input(log.rows))))
  return {
    rows: [
      rowOf({
        id: 'P4',
        job: `GET /v1/events, ${page.name}, ${sizes}, p50`,
        unit: 'ms',
        ours: p50('long'),
        peer: { name: `the same at ${compact(short.rows)} rows`, rounds: p50('short') },
        target: atMost(1.2),
      }),
    ],
    notes: [`${page.name}: p99 ${p99('long')} and ${p99('short')} ms; plan ${plan.text}`],
    proofs: [
      allAnswered(page.name, '200', loads),
      { what: `${page.name}: sorts and scans of a whole table`, expected: 0, found: plan.faults },
      ...items.map(found => ({
        what: `${page.name}: events`,
        expected: page.input(0).limit,
        found,
      })),
    ],
  }
}

async function itemsOf({ gateway, tenant }: Log, input: Input): Promise<number> {
  const url = `http://127.0.0.1:${gateway.port}${pathOf(input)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.key}` } })
  const { data }: { data?: unknown[] } = await response.json()
  return data?.length ?? 0
}

async function proofsOf({ house, tenant, rows }: Log): Promise<Proof[]> {
  const [counted] = await house.owner.use(lane =>
    lane.run<{ events: number; ids: number }>(sql`
      select count(*)::int as events, count(distinct id)::int as ids from test.events
       where stream = ${tenant.stream}::bigint`),
  )
  return [
    { what: `events in a log of ${rows}`, expected: rows, found: counted?.events ?? 0 },
    { what: `different ids in a log of ${rows}`, expected: rows, found: counted?.ids ?? 0 },
  ]
}
