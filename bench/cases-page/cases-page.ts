// Measures pages of GET /v1/cases, and a patient lookup by external_id, with a few rows and with a
// million.
import { lastIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { casesApart, casesOfPatient, fillCases } from './fill-cases.ts'
import { firstMoment } from '../events-page/fill-events.ts'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import type { Log, Page } from '../harness/page-cost.ts'
import type { Result } from '../harness/rounds.ts'
import { twoLogs } from '../harness/two-sizes.ts'

const momentOf = (at: number) => firstMoment + at * casesApart
const middle = (rows: number) => (rows >> 1) - ((rows >> 1) % casesOfPatient)

type CasesLog = Log & { patient: string }

const lists: readonly Page[] = [20, 100].flatMap((limit): Page[] => [
  { list: 'listCases', name: `first ${limit}`, input: () => ({ limit }) },
  {
    list: 'listCases',
    name: `${limit} from the middle`,
    input: rows => ({ limit, starting_after: lastIdOf('case', momentOf(middle(rows)) - 1) }),
  },
  {
    list: 'listCases',
    name: `${limit} of a rare status, from the middle`,
    input: rows => ({
      limit: limit / 5,
      status: 'declined',
      starting_after: lastIdOf('case', momentOf(middle(rows)) - 1),
    }),
  },
  {
    list: 'listCases',
    name: `${limit} created after, near the end`,
    input: rows => ({ limit, created_after: new Date(momentOf(rows - 150)).toISOString() }),
  },
])

/** Filters by a patient who has the same number of rows in both tables. */
const ofOne = (of: (rows: number) => string): readonly Page[] => [
  {
    list: 'listCases',
    name: 'of one patient',
    input: rows => ({ limit: casesOfPatient, patient: of(rows) }),
  },
  {
    list: 'listPatients',
    name: 'by external_id',
    input: rows => ({ limit: 1, external_id: `cust_${middle(rows)}` }),
  },
]

export const casesPage = (options: Options, cluster: Cluster): Promise<Result> =>
  twoLogs<CasesLog>(options, cluster, {
    name: 'cases',
    sizes: options.isShort ? [2_500, 5_000] : [10_000, 1_000_000],
    fill: fillCases,
    counts: [
      {
        what: 'cases',
        of: rows => rows,
        query: 'select count(*)::int as n from test.cases where tenant = $1::bigint',
      },
      {
        what: 'patients of the cases',
        of: rows => rows / casesOfPatient,
        query: 'select count(distinct patient)::int as n from test.cases where tenant = $1::bigint',
      },
    ],
    loadDetails,
    pages(short, long) {
      const patients = new Map([short, long].map(log => [log.rows, log.patient]))
      const all = [...lists, ...ofOne(rows => patients.get(rows) ?? '')]
      return options.isShort ? [...all.slice(2, 4), ...all.slice(-2)] : all
    },
  })

async function loadDetails(log: Log): Promise<CasesLog> {
  const [found] = await log.environment.owner.use(connection =>
    connection.run<{ id: string }>(sql`
      select id from test.patients where tenant = ${log.tenant.id}::bigint
         and external_id = ${`cust_${middle(log.rows)}`}`),
  )
  return { ...log, patient: found?.id ?? '' }
}
