// The time by which deliveries and events are dated: the sandbox's, which may be ahead.
import type { MemberCall } from './context.ts'

export const tenantTime = ({ aheadMs }: Pick<MemberCall, 'aheadMs'>, now: number): number =>
  now + aheadMs
