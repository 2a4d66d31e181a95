// Pages that one person opens, one after the other: the time to the whole answer, slowest first.
import type { Target } from '../targets.ts'
import type { Options } from './options.ts'
import { median, percentile, type Result, rowOf } from './rounds.ts'

type Visits = { path: string; times: number[]; statuses: Set<number> }

export type Pages = {
  /** Whose pages they are, as in "all pages of the portal". */
  of: string
  /** What every path begins with. */
  base: string
  paths: readonly string[]
  cookie: string
  /** How often each page is opened in a round, after a first time that isn't counted. */
  visits: number
  target: Target
}

export async function measurePages(pages: Pages, options: Options): Promise<Result> {
  const visits = options.isShort ? 1 : pages.visits * options.rounds
  const measured: Visits[] = []
  for (const path of pages.paths) {
    const one: Visits = { path, times: [], statuses: new Set() }
    for (let at = -1; at < visits; at++) {
      const started = performance.now()
      const answer = await fetch(`${pages.base}${path}`, { headers: { cookie: pages.cookie } })
      await answer.text()
      if (at >= 0) one.times.push(performance.now() - started)
      one.statuses.add(answer.status)
    }
    one.times.sort((a, b) => a - b)
    measured.push(one)
  }
  return resultOf(pages, measured)
}

function resultOf({ of, target }: Pages, measured: readonly Visits[]): Result {
  const slowest = measured.toSorted((one, other) => median(other.times) - median(one.times))
  const all = measured.flatMap(({ times }) => times).toSorted((a, b) => a - b)
  const row = (job: string, ours: number, target: Target | null) =>
    rowOf({ job, unit: 'ms', ours: [ours], peer: null, target })
  return {
    rows: [
      row(`the slowest page of the ${of}, median`, median(slowest[0]?.times ?? []), target),
      row(`all pages of the ${of}, p99`, percentile(all, 0.99), null),
    ],
    notes: slowest.map(
      ({ path, times }) =>
        `${path}: median ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    ),
    proofs: [
      {
        what: `pages of the ${of} answered with 200 alone`,
        expected: measured.length,
        found: measured.filter(({ statuses }) => statuses.size === 1 && statuses.has(200)).length,
      },
    ],
  }
}
