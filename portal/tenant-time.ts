// The time by which deliveries and events are dated: that of the sandbox, which may be ahead.
import type { MemberCall } from './context.ts'

/** Real time for those who have no sandbox to open: in live mode, and in some roles. */
export async function tenantTime(
  { api, mayOpen }: Pick<MemberCall, 'api' | 'mayOpen'>,
  now: number,
): Promise<number> {
  if (!mayOpen('sandbox')) return now
  const clock = await api('getTestClock')
  return clock.problem === null ? Date.parse(clock.value.now) : now
}
