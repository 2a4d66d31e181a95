// Pages of GET /v1/events on a short log and on a long one: a page must cost what it holds, and not
// what lies around it.
import { lastIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { fillEvents, firstMoment, millisecondsApart } from './fill-events.ts'
import type { Cluster, House } from './house.ts'
import type { Options } from './options.ts'
import { type Log, type Page, pageCost } from './page-cost.ts'
import type { Proof, Result } from './rounds.ts'

const list = 'listEvents'

const momentOf = (event: number) => firstMoment + event * millisecondsApart
const idBefore = (event: number) => lastIdOf('evt', momentOf(event) - 1)

/** Pages that are full in either log: the rare type has one event in a hundred. */
const pages: readonly Page[] = [20, 100].flatMap(limit => [
  { list, name: `first ${limit}`, input: () => ({ limit }) },
  {
    list,
    name: `${limit} from the middle`,
    input: (rows: number) => ({ limit, starting_after: idBefore(rows >> 1) }),
  },
  {
    list,
    name: `${limit} since, near the end`,
    input: (rows: number) => ({ limit, since: new Date(momentOf(rows - 150)).toISOString() }),
  },
  {
    list,
    name: `${limit} of a common type, from the middle`,
    input: (rows: number) => ({
      limit,
      type: 'case.in_review.v1',
      starting_after: idBefore(rows >> 1),
    }),
  },
  { list, name: `${limit} of a rare type`, input: () => ({ limit, type: 'order.failed.v1' }) },
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
        results.push(await pageCost(options, page, short, long))
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
