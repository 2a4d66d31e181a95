import { spyOn } from 'bun:test'
import { until } from './until.ts'

/** Waits until this many pauses of this length have begun. A loop that pauses after each attempt
 *  has then made as many more attempts. */
export async function untilPaused(milliseconds: number, count: number): Promise<void> {
  const [timers, sleeps] = [spyOn(globalThis, 'setTimeout'), spyOn(Bun, 'sleep')]
  const begun = () => [
    ...timers.mock.calls.map(([, wait]) => wait),
    ...sleeps.mock.calls.map(([wait]) => wait),
  ]
  try {
    await until(() => begun().filter(wait => wait === milliseconds).length >= count)
  } finally {
    timers.mockRestore()
    sleeps.mockRestore()
  }
}
