// The queue and visits of a clinic with many integrations, through the console's pipeline: the time
// to the full response, for one staff member reading one page after another.
import { dayMilliseconds } from '#contract/moments.ts'
import { openTestConsole, type StaffMember } from '#clinical/testing/staff.ts'
import type { ConsoleId } from '#contract/console/operations.ts'
import { queueStatuses } from '#contract/console/cases.ts'
import { now } from '#database/clock.ts'
import type { Cluster } from '../harness/environment.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import type { Options } from '../harness/options.ts'
import { median, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { targetOf } from '../targets.ts'
import { fillClinic, type Size, states, waitsEach } from './fill-clinic.ts'

const readsEach = 40
/** The largest page size. */
const perPage = '100'

const sizeOf = ({ isShort, isLarge }: Options): Size =>
  isShort
    ? { integrations: 2, cases: 1000, visits: 100 }
    : isLarge
      ? { integrations: 500, cases: 1_000_000, visits: 100_000 }
      : { integrations: 50, cases: 100_000, visits: 10_000 }

type ConsoleRead = { operation: ConsoleId; query: Record<string, string>; as: StaffMember }
type Measured = { read: ConsoleRead; times: number[]; answered: number; found: number }
type Console = ReturnType<typeof openTestConsole>

export async function consoleQueue(options: Options, cluster: Cluster): Promise<Result> {
  const size = sizeOf(options)
  return cluster.withEnvironment('console', async environment => {
    const fixtures = await fixturesIn(environment)
    await fillClinic(fixtures, size)
    const staff = openTestConsole(fixtures)
    const clinician = await staff.hire(['clinician'], { states: states.slice(0, 1) })
    const idle = await staff.hire(['clinician'], { states: ['WY'] })
    const nurse = await staff.hire(['nurse'])
    const waiting = await readWhole(staff, nurse)
    const reads = [
      ...readsOf(clinician, nurse, waiting[waiting.length >> 1] ?? ''),
      { operation: 'listQueue' as const, query: {}, as: idle },
    ]
    const measured: Measured[] = []
    for (const read of reads) {
      await staff.call(read.operation, read)
      const one: Measured = { read, times: [], answered: 0, found: 0 }
      for (let at = 0; at < (options.isShort ? 1 : readsEach * options.rounds); at++) {
        const started = performance.now()
        const { status, body } = await staff.call(read.operation, read)
        one.times.push(performance.now() - started)
        if (status === 200) one.answered++
        one.found = status === 200 ? body.data.length : 0
      }
      one.times.sort((a, b) => a - b)
      measured.push(one)
    }
    await staff.close()
    await fixtures.close()
    return resultOf(measured, { idle, waiting, expected: Math.floor(size.cases / waitsEach) })
  })
}

/** The ids of the whole queue, page by page. */
async function readWhole(staff: Console, as: StaffMember): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ; after = ids.at(-1)) {
    const query = { limit: perPage, ...(after === undefined ? {} : { starting_after: after }) }
    const page = await staff.ok('listQueue', { as, query })
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    if (!page.has_more) return ids
  }
}

/** Every queue filter, alone and with a next page, for staff who see all cases and for staff
 *  limited to their licenses. */
function readsOf(clinician: StaffMember, nurse: StaffMember, middle: string): ConsoleRead[] {
  const daysAgo = (days: number) => new Date(now() - days * dayMilliseconds).toISOString()
  const filters: Record<string, string>[] = [
    {},
    { show: 'all' },
    ...queueStatuses.map(status => ({ status })),
    { created_before: daysAgo(1) },
    { created_before: daysAgo(300) },
    { limit: perPage },
  ]
  const days = [1, 200].map(ago => ({ from: daysAgo(ago), to: daysAgo(ago - 1) }))
  return [
    ...filters
      .flatMap(filter => [filter, { ...filter, starting_after: middle }])
      .flatMap(query =>
        [clinician, nurse].map(as => ({ operation: 'listQueue' as const, query, as })),
      ),
    ...days.map(query => ({ operation: 'listClinicVisits' as const, query, as: nurse })),
  ]
}

const nameOf = ({ operation, query, as }: ConsoleRead) =>
  `${operation} ${as.name.split(' ')[0]} ${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`.trim()

function resultOf(
  measured: readonly Measured[],
  { idle, waiting, expected }: { idle: StaffMember; waiting: readonly string[]; expected: number },
): Result {
  const of = (operation: ConsoleId) =>
    measured.filter(({ read }) => read.operation === operation && read.as !== idle)
  const ofIdle = measured.filter(({ read }) => read.as === idle)
  const slowest = measured.toSorted(
    (one, other) => percentile(other.times, 0.99) - percentile(one.times, 0.99),
  )
  const p99 = (of: readonly Measured[]) =>
    percentile(
      of.flatMap(({ times }) => times).toSorted((a, b) => a - b),
      0.99,
    )
  const common = { unit: 'ms', peer: null, target: targetOf('P19 queue') }
  return {
    rows: [
      rowOf({ ...common, job: 'a page of the queue, p99', ours: [p99(of('listQueue'))] }),
      rowOf({
        ...common,
        job: 'where no case waits in the states of a clinician, p99',
        ours: [p99(ofIdle)],
      }),
      rowOf({ ...common, job: 'a day of visits, p99', ours: [p99(of('listClinicVisits'))] }),
    ],
    notes: slowest
      .slice(0, 8)
      .map(
        ({ read, times, found }) =>
          `${nameOf(read)}: ${found} rows, median ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
      ),
    proofs: [
      { what: 'cases in the whole queue', expected, found: new Set(waiting).size },
      {
        what: 'reads answered with 200',
        expected: measured.reduce((sum, { times }) => sum + times.length, 0),
        found: measured.reduce((sum, { answered }) => sum + answered, 0),
      },
    ],
  }
}
