// The parts' status and history, as `/api/status` returns them and the page shows them.
import { momentText } from '#database/clock.ts'
import { type Status, worstOf } from './health.ts'
import type { DayCounts, History } from './history.ts'
import { type PartName, titleOf } from './parts.ts'
import type { PartState, Probes } from './probes.ts'

export type Day = Omit<DayCounts, 'part'>

type Part = {
  readonly name: PartName
  readonly title: string
  readonly status: Status
  readonly output: string | null
  /** The days with measurements, oldest first, or null while they can't be read. */
  readonly days: readonly Day[] | null
}

export type StatusReport = {
  /** The worst status of the parts; null before the first check. */
  readonly status: Status | null
  readonly checked_at: string | null
  readonly parts: readonly Part[]
}

type ReportParts = { readonly probes: Probes; readonly history: History | null; now(): number }

/** The history changes once a minute, so it's read at most that often. */
const readMilliseconds = 30_000

export function statusReporter({ probes, history, now }: ReportParts) {
  let read: Promise<readonly DayCounts[] | null> = Promise.resolve(null)
  let ends = 0
  const days = () => {
    if (now() < ends) return read
    ends = now() + readMilliseconds
    // A failed read is repeated on the next request.
    read = (history?.read(now()) ?? Promise.resolve(null)).catch(() => {
      ends = 0
      return null
    })
    return read
  }
  return async (): Promise<StatusReport> => {
    const [states, measured] = [probes.states(), await days()]
    return {
      status: worstOf(states.map(({ status }) => status)) ?? null,
      checked_at: states[0] === undefined ? null : momentText(states[0].time),
      parts: states.map(state => reported(state, measured)),
    }
  }
}

function reported({ part, status, output }: PartState, all: readonly DayCounts[] | null): Part {
  const own = all?.filter(day => day.part === part) ?? null
  const days = own?.map(({ date, passed, warned, failed }) => ({ date, passed, warned, failed }))
  return { name: part, title: titleOf(part), status, output, days: days ?? null }
}
