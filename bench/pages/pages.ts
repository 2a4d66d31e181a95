// Pages that one person opens, one after another: the time to the full response, slowest first,
// compared with a page from the same server that runs no statement, and PostgreSQL's share of that
// time.
import type { Target } from '../targets.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { processorTimeOfTree } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'
import { median, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { watchWholeReads } from './whole-reads.ts'

/** `database`: PostgreSQL's CPU milliseconds per visit. */
type Visits = {
  path: string
  times: number[]
  floors: number[]
  database: number
  statuses: Set<number>
  wholeReads: string[]
}

export type Pages = {
  /** The pages' owner in the report, such as "the portal" in "all pages of the portal". */
  of: string
  open(): { readonly origin: string; close(): Promise<void> }
  /** The prefix of every path. */
  home: string
  paths: readonly string[]
  cookie: string
  /** How often each page is opened in a round, after a first visit that isn't counted. */
  visits: number
  target: Target
  /**
   * The row count from which no page may read a whole table. Without a count, pages may read any
   * table.
   */
  largeRows?: number
}

/** A page that runs no statement, because it isn't found or redirects to sign-in. */
const missing = '/no-such-page'

export async function measurePages(
  pages: Pages,
  options: Options,
  environment: BenchEnvironment,
): Promise<Result> {
  const visits = options.isShort ? 1 : pages.visits * options.rounds
  const measured: Visits[] = []
  const { origin, close } = pages.open()
  const open = visitOf(pages, origin)
  const used = () => processorTimeOfTree(environment.postmaster) / 1000
  for (const path of pages.paths) {
    const times: number[] = []
    const floors: number[] = []
    const statuses = new Set([(await open(path)).status])
    const before = used()
    for (let at = 0; at < visits; at++) {
      floors.push((await open(missing, '')).took)
      const { took, status } = await open(path)
      times.push(took)
      statuses.add(status)
    }
    const database = (used() - before) / visits
    times.sort((a, b) => a - b)
    measured.push({ path, times, floors, database, statuses, wholeReads: [] })
  }
  await close()
  await noteWholeReads(pages, environment, measured)
  return resultOf(pages, measured)
}

const visitOf = ({ home, cookie: own }: Pages, origin: string) =>
  async function visit(path: string, cookie = own) {
    const started = performance.now()
    const answer = await fetch(`${origin}${home}${path}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    await answer.text()
    return { took: performance.now() - started, status: answer.status }
  }

async function noteWholeReads(pages: Pages, { url }: BenchEnvironment, measured: Visits[]) {
  if (pages.largeRows === undefined) return
  const watched = await watchWholeReads(url, pages.largeRows)
  const { origin, close } = pages.open()
  const open = visitOf(pages, origin)
  for (const one of measured) one.wholeReads = await watched.during(() => open(one.path))
  await close()
  await watched.close()
}

const shown = ({ path, times, floors, database }: Visits) =>
  `${path}: median ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, ` +
  `floor ${median(floors).toFixed(1)} ms, PostgreSQL ${database.toFixed(1)} ms`

function resultOf({ of, target, largeRows }: Pages, measured: readonly Visits[]): Result {
  const slowest = measured.toSorted((one, other) => median(other.times) - median(one.times))
  const all = measured.flatMap(({ times }) => times).toSorted((a, b) => a - b)
  const row = (job: string, ours: number, target: Target | null) =>
    rowOf({ job, unit: 'ms', ours: [ours], peer: null, target })
  return {
    rows: [
      row(`the slowest page of the ${of}, median`, median(slowest[0]?.times ?? []), target),
      row(`all pages of the ${of}, p99`, percentile(all, 0.99), null),
      row(
        `processor time of PostgreSQL for a page of the ${of}, the most`,
        Math.max(...measured.map(({ database }) => database)),
        null,
      ),
      row(
        `a page of the ${of} without a statement, median`,
        median(measured.flatMap(({ floors }) => floors)),
        null,
      ),
    ],
    notes: [
      ...slowest.map(shown),
      ...measured.flatMap(({ path, wholeReads }) => wholeReads.map(read => `${path}: ${read}`)),
    ],
    proofs: [
      {
        what: `pages of the ${of} answered with 200 alone`,
        expected: measured.length,
        found: measured.filter(({ statuses }) => statuses.size === 1 && statuses.has(200)).length,
      },
      ...(largeRows === undefined
        ? []
        : [
            {
              what: `pages of the ${of} whose statements read no large table whole`,
              expected: measured.length,
              found: measured.filter(({ wholeReads }) => wholeReads.length === 0).length,
            },
          ]),
    ],
  }
}
