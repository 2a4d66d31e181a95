// Pages of GET /v1/cases, and a patient looked up by the integrator's own number, among few rows
// and among a million.
import { lastIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { casesApart, casesOfPatient, fillCases } from './fill-cases.ts'
import { firstMoment } from './fill-events.ts'
import type { Cluster, House } from './house.ts'
import type { Options } from './options.ts'
import { type Log, type Page, pageCost } from './page-cost.ts'
import type { Proof, Result } from './rounds.ts'

const momentOf = (at: number) => firstMoment + at * casesApart
const middle = (rows: number) => (rows >> 1) - ((rows >> 1) % casesOfPatient)

type Known = Log & { patient: string }

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

/** Filters that name one patient, of whom either log has as many rows. */
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

export async function casesPage(options: Options, cluster: Cluster): Promise<Result> {
  const [few, many] = options.isShort ? [2_500, 5_000] : [10_000, 1_000_000]
  return cluster.withHouse('cases_few', async fewHouse =>
    cluster.withHouse('cases_many', async manyHouse => {
      const [short, long] = [await openLog(fewHouse, few), await openLog(manyHouse, many)]
      const patients = new Map([short, long].map(log => [log.rows, log.patient]))
      const all = [...lists, ...ofOne(rows => patients.get(rows) ?? '')]
      const results: Result[] = []
      for (const page of options.isShort ? [...all.slice(2, 4), ...all.slice(-2)] : all) {
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

async function openLog(house: House, rows: number): Promise<Known> {
  const [tenant] = await house.openTenants(1)
  if (!tenant) throw new Error('One tenant was opened.')
  await fillCases(house, tenant.stream, rows)
  const [found] = await house.owner.use(lane =>
    lane.run<{ id: string }>(sql`
      select id from test.patients where stream = ${tenant.stream}::bigint
         and external_id = ${`cust_${middle(rows)}`}`),
  )
  return { house, tenant, rows, gateway: await house.openGateway(), patient: found?.id ?? '' }
}

async function proofsOf({ house, tenant, rows }: Log): Promise<Proof[]> {
  const [counted] = await house.owner.use(lane =>
    lane.run<{ cases: number; patients: number }>(sql`
      select count(*)::int as cases, count(distinct patient)::int as patients from test.cases
       where stream = ${tenant.stream}::bigint`),
  )
  return [
    { what: `cases in a log of ${rows}`, expected: rows, found: counted?.cases ?? 0 },
    {
      what: `patients in a log of ${rows}`,
      expected: rows / casesOfPatient,
      found: counted?.patients ?? 0,
    },
  ]
}
