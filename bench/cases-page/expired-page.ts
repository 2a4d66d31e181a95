// Measures a sandbox's GET /v1/cases pages with and without 200,000 expired rows that no job has
// deleted yet.
import { lastIdOf } from '#contract/ids.ts'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import type { Page } from '../harness/page-cost.ts'
import type { Result } from '../harness/rounds.ts'
import { twoLogs } from '../harness/two-sizes.ts'
import { batch, expiredMoment, fillCases } from './fill-cases.ts'

const live = 10_000
const batches = (options: Options) => (options.isShort ? 1 : 4)

const pages: readonly Page[] = [20, 100].flatMap((limit): Page[] => [
  { list: 'listCases', name: `first ${limit}`, input: () => ({ limit }), target: 'P4 expired' },
  {
    list: 'listCases',
    name: `${limit} after an id that has expired`,
    input: () => ({ limit, starting_after: lastIdOf('case', expiredMoment) }),
    target: 'P4 expired',
  },
  {
    list: 'listCases',
    name: `${limit / 5} of a rare status`,
    input: () => ({ limit: limit / 5, status: 'declined' }),
    target: 'P4 expired',
  },
])

export const expiredPage = (options: Options, cluster: Cluster): Promise<Result> => {
  const expired = batches(options) * batch
  return twoLogs(options, cluster, {
    name: 'expired',
    sizes: [live, live + expired],
    fill: (environment, tenant, rows) => fillCases(environment, tenant, rows, rows - live),
    counts: [
      {
        what: 'cases',
        of: rows => rows,
        query: 'select count(*)::int as n from test.cases where tenant = $1::bigint',
      },
      {
        what: 'cases that have not expired',
        of: () => live,
        query: `select count(*)::int as n from test.cases
                 where tenant = $1::bigint and created_at > now() - interval '30 days'`,
      },
    ],
    loadDetails: async log => log,
    pages: () => (options.isShort ? pages.slice(0, 2) : pages),
  })
}
