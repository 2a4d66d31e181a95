// What counts calls. A window begins with the first call of its key. Several gateways may count at
// one place, which this room need not know.
import { now } from '#database/clock.ts'

/** A key's window after a call. */
export type Count = {
  /** Below zero when there were not as many as were asked for. */
  readonly left: number
  /** Until the window ends. */
  readonly milliseconds: number
}

/** What is left of a window, as headers tell it. */
export const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

/** Of so many in a window. Counting here answers at once, which costs a tenth of a promise. */
export type Counter = {
  /** Takes some; a negative number gives them back. */
  take(key: string, count?: number): Count | Promise<Count>
  /** Takes none; undefined where no window is open. */
  look(key: string): Count | undefined | Promise<Count | undefined>
}

export type OpenCounter = (name: string, points: number, seconds: number) => Counter

type Window = { taken: number; readonly ends: number }

/** Counts in this process alone. */
export const countAlone: OpenCounter = (_name, points, seconds) => countBy(now, points, seconds)

export function countBy(clock: () => number, points: number, seconds: number) {
  const length = seconds * 1000
  // All that began before this turn are over when the next one begins, so they are dropped at once:
  // as many addresses as anybody likes cost no timer each, and nobody looks for the oldest.
  let [current, former] = [new Map<string, Window>(), new Map<string, Window>()]
  let turns = 0
  const find = (key: string, at: number): Window | undefined => {
    if (at >= turns) {
      former = at < turns + length ? current : new Map()
      current = new Map()
      turns = at + length
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
    look(key: string): Count | undefined {
      const at = clock()
      const window = find(key, at)
      return window && countOf(window, at)
    },
  }
}
