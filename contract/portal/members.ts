import { everyRole, form, ownersOnly, page } from './row.ts'

export const members = {
  members: page('/members', 'Members', { roles: everyRole, group: 'Account' }),
  // Leaving gives up rights and gains none, so it needs no second factor.
  leave: form('/members/leave', 'Leave account', { roles: everyRole, page: '/members' }),
  newInvitation: page('/members/invite', 'Invite member', { roles: ownersOnly, factor: 'fresh' }),
  inviteMember: form('/members/invite', 'Invite member', { roles: ownersOnly, factor: 'fresh' }),
  cancelInvitation: form('/members/invitations/{id}/cancel', 'Cancel invitation', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members',
  }),
  member: page('/members/{id}', 'Member', { roles: ownersOnly, factor: 'fresh' }),
  changeRole: form('/members/{id}/role', 'Change role', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
  allowLiveChanges: form('/members/{id}/live', 'Allow live endpoint changes', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
  removeMember: form('/members/{id}/remove', 'Remove member', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
}
