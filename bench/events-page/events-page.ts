// Measures pages of GET /v1/events from a short table and a long table, because a page's cost must
// depend on its items and not on the table's size.
import { lastIdOf } from '#contract/ids.ts'
import { fillEvents, firstMoment, millisecondsApart } from './fill-events.ts'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import type { Log, Page } from '../harness/page-cost.ts'
import type { Result } from '../harness/rounds.ts'
import { twoLogs } from '../harness/two-sizes.ts'

const list = 'listEvents'

const momentOf = (event: number) => firstMoment + event * millisecondsApart
const idBefore = (event: number) => lastIdOf('evt', momentOf(event) - 1)

/** Pages that are full in both tables. The rare type is one event in a hundred. */
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

export const eventsPage = (options: Options, cluster: Cluster): Promise<Result> =>
  twoLogs<Log>(options, cluster, {
    name: 'events',
    sizes: sizesOf(options),
    fill: fillEvents,
    counts: ['*', 'distinct id'].map(counted => ({
      what: `count(${counted}) of events`,
      of: rows => rows,
      query: `select count(${counted})::int as n from test.events where tenant = $1::bigint`,
    })),
    loadDetails: async log => log,
    pages: () => (options.isShort ? pages.slice(0, 2) : pages),
  })
