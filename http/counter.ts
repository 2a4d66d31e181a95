// Counts calls. A window begins with the first call of its key. Several gateways may share their
// counts (shared-counters.ts).

import { now } from '#database/clock.ts'

/** A key's window after a call. */
export type Count = {
  /** Below zero when fewer were left than were taken. */
  readonly left: number
  /** Until the window ends. */
  readonly milliseconds: number
}

/** Whole seconds until a window ends, as headers say them. */
export const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

/** Counting in this process answers at once, which costs a tenth of a promise. */
export type Counter = {
  /** Takes some; a negative number gives them back. */
  take(key: string, count?: number): Count | Promise<Count>
  /** Takes none; undefined where no window is open. */
  peek(key: string): Count | undefined | Promise<Count | undefined>
}

export type OpenCounter = (name: string, points: number, seconds: number) => Counter

type Window = { taken: number; readonly ends: number }

/** Counts in this process alone. */
export const countInProcess: OpenCounter = (_name, points, seconds) => countBy(now, points, seconds)

export function countBy(clock: () => number, points: number, seconds: number) {
  const length = seconds * 1000
  // Windows that began before the current period are over when the next one begins, so they are
  // dropped together: a million addresses cost no timer each, and no search for the oldest.
  let [current, former] = [new Map<string, Window>(), new Map<string, Window>()]
  let periodEnds = 0
  const find = (key: string, at: number): Window | undefined => {
    if (at >= periodEnds) {
      former = at < periodEnds + length ? current : new Map()
      current = new Map()
      periodEnds = at + length
    }
    const window = current.get(key) ?? former.get(key)
    return window !== undefined && window.ends > at ? window : undefined
  }
  const countOf = ({ taken, ends }: Window, at: number): Count => ({
    left: points - taken,
    milliseconds: ends - at,
  })
  return {
    take(key: string, count = 1): Count {
      const at = clock()
      let window = find(key, at)
      if (window === undefined) {
        window = { taken: 0, ends: at + length }
        current.set(key, window)
      }
      window.taken += count
      return countOf(window, at)
    },
    peek(key: string): Count | undefined {
      const at = clock()
      const window = find(key, at)
      return window && countOf(window, at)
    },
  }
}
