// The roles that create and revoke credentials: owners, and developers in test mode. Pages leave
// out forms that would be refused.
import type { MemberCall } from '../../context.ts'

export const mayChange = ({ mayOpen }: MemberCall): boolean => mayOpen('createKey')
