// Checks the platform's parts once a minute, and counts the results by hour. While the database
// can't store the counts, this process keeps the counts in memory, so the database's own outage is
// counted as well.
import { describeFailure } from '#database/describe-failure.ts'
import { hourMilliseconds } from '#contract/moments.ts'
import type { Log } from '#http/log.ts'
import { type Check, runCheck, type Status, worstOf } from './health.ts'
import type { History, HourCounts } from './history.ts'
import { type PartName, partNames, partOf } from './parts.ts'

export type PartState = {
  readonly part: PartName
  readonly status: Status
  /** Explains a status other than `pass`. */
  readonly output: string | null
  /** When the part was checked. */
  readonly time: number
}

type ProbeParts = {
  readonly checks: readonly Check[]
  /** Null if there's no database. */
  readonly history: History | null
  readonly log: Pick<Log, 'event'>
  now(): number
  readonly everyMilliseconds?: number
}

export type Probes = {
  /** The statuses from the last run; empty before the first. */
  states(): readonly PartState[]
  run(): Promise<void>
  stop(): void
}

const timeoutMilliseconds = 5000
/** Two days of results while the database is down. After that, new results replace the oldest. */
const keptMax = 6 * 48

export function openProbes(parts: ProbeParts): Probes {
  const { checks, history, log, now, everyMilliseconds = 60_000 } = parts
  const kept = new Map<string, HourCounts>()
  let states: PartState[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = true

  const run = async () => {
    const time = now()
    const found = await Promise.all(partNames.map(part => stateOf(part, checks, time)))
    states = found.flat()
    for (const state of states) count(kept, state)
    if (history === null) return
    const counts = [...kept.values()]
    kept.clear()
    await history.add(counts, time).catch((failure: unknown) => {
      for (const each of counts) put(kept, each)
      log.event('status.not_stored', { hours: kept.size, ...describeFailure(failure) })
    })
  }
  const schedule = () => {
    if (isOpen) timer = setTimeout(() => void run().finally(schedule), everyMilliseconds).unref()
  }
  void run().finally(schedule)
  const stop = () => {
    isOpen = false
    clearTimeout(timer)
  }
  return { states: () => states, run, stop }
}

/** The worst status of the part's checks; undefined if it has none. */
async function stateOf(part: PartName, checks: readonly Check[], time: number) {
  const own = checks.filter(({ name }) => partOf(name) === part)
  const results = await Promise.all(own.map(check => runCheck(check, timeoutMilliseconds)))
  const status = worstOf(results.map(each => each.status))
  if (status === undefined) return []
  const worst = results.find(each => each.status === status)
  return [{ part, status, output: worst?.output ?? null, time }]
}

const hourOf = (time: number) => new Date(time - (time % hourMilliseconds)).toISOString()

function count(kept: Map<string, HourCounts>, { part, status, time }: PartState): void {
  const one = { part, hour: hourOf(time), passed: 0, warned: 0, failed: 0 }
  if (status === 'pass') one.passed = 1
  else if (status === 'warn') one.warned = 1
  else one.failed = 1
  put(kept, one)
}

function put(kept: Map<string, HourCounts>, one: HourCounts): void {
  const key = `${one.hour} ${one.part}`
  const before = kept.get(key)
  kept.set(key, {
    ...one,
    passed: one.passed + (before?.passed ?? 0),
    warned: one.warned + (before?.warned ?? 0),
    failed: one.failed + (before?.failed ?? 0),
  })
  const [oldest = ''] = kept.size > keptMax ? [...kept.keys()].sort() : []
  kept.delete(oldest)
}
