// The roles that create and revoke credentials: owners, and developers in test mode. Pages leave
// out forms that would be refused.
import type { MemberCall } from '../../context.ts'

export const mayChange = ({ mayOpen }: MemberCall): boolean => mayOpen('createKey')

/** Says who creates them, on an empty page without a button. */
export const whoMayCreate = ({ mode }: MemberCall, what: 'keys' | 'clients'): string =>
  mode === 'live'
    ? `Only owners can create live ${what}. Ask an owner.`
    : `Only owners and developers can create ${what}.`
