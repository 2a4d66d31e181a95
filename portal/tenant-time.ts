// The time by which deliveries and events are dated: that of the sandbox, which may be ahead.
import { mayOpen } from './call.ts'
import type { MemberCall } from './context.ts'

/** Real time for those who have no sandbox to open: in live mode, and in some roles. */
export async function tenantTime(
  { api, member, mode }: Pick<MemberCall, 'api' | 'member' | 'mode'>,
  now: number,
): Promise<number> {
  if (!mayOpen(member, 'sandbox', mode)) return now
  const clock = await api('getTestClock')
  return clock.problem === null ? Date.parse(clock.value.now) : now
}
