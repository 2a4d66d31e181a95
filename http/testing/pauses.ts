import { spyOn } from 'bun:test'
import { until } from './until.ts'

/** Waits until this many pauses of this length have begun, so a loop that pauses between attempts
 *  has made as many more. */
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
