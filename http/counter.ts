// Counts calls by key in fixed windows. A window begins with the first call of its key. Several
// gateways may share their counts (shared-counters.ts).

import { now } from '#database/clock.ts'

/** A key's window after a call. */
export type Count = {
  /** Below zero when more were taken than the quota allows. */
  readonly left: number
  /** Until the window ends. */
  readonly milliseconds: number
}

/** Whole seconds until a window ends, for headers. */
export const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

/** For sentences: 1 second, 2 seconds. */
export const secondsText = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`

/** In-process counters return synchronously, which costs a tenth of a promise. */
export type Counter = {
  /** Counts calls; a negative number reverses an earlier count. */
  take(key: string, count?: number): Count | Promise<Count>
  /** Counts nothing; undefined where no window is open. */
  peek(key: string): Count | undefined | Promise<Count | undefined>
}

export type OpenCounter = (name: string, points: number, seconds: number) => Counter

type Window = { taken: number; readonly ends: number }

/** Counts in this process alone. */
export const countInProcess: OpenCounter = (_name, points, seconds) => countBy(now, points, seconds)

export function countBy(clock: () => number, points: number, seconds: number) {
  const length = seconds * 1000
  // Windows that began before the current period have ended when the next period begins, so all of
  // them are dropped at once, without a timer or a search for expired windows.
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
