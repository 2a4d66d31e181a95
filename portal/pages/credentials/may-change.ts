// Who makes and ends credentials: owners, and in test mode developers. The table says the same of
// the forms; pages leave out what would be refused.
import { portalRows } from '#contract/portal/table.ts'
import type { MemberCall } from '../../context.ts'

const { roles, liveRoles } = portalRows.createKey

export const mayChange = ({ member, mode }: MemberCall): boolean =>
  (mode === 'live' ? liveRoles : roles).some(role => role === member.role)
