// Who makes and ends credentials: owners, and in test mode developers. Pages leave out what would
// be refused.
import type { MemberCall } from '../../context.ts'

export const mayChange = ({ mayOpen }: MemberCall): boolean => mayOpen('createKey')
