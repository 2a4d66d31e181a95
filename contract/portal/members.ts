import { everyRole, form, ownersOnly, page } from './row.ts'

export const members = {
  members: page('/members', 'Members', { roles: everyRole, group: 'Organization' }),
  // It gives up rights and gains none, so it needs no second factor.
  leave: form('/members/leave', 'Leave the integration', { roles: everyRole, page: '/members' }),
  newInvitation: page('/members/invite', 'Invite a member', { roles: ownersOnly, factor: 'fresh' }),
  inviteMember: form('/members/invite', 'Invite a member', { roles: ownersOnly, factor: 'fresh' }),
  cancelInvitation: form('/members/invitations/{id}/cancel', 'Cancel an invitation', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members',
  }),
  member: page('/members/{id}', 'Member', { roles: ownersOnly, factor: 'fresh' }),
  changeRole: form('/members/{id}/role', 'Change a role', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
  allowLiveChanges: form('/members/{id}/live', 'Allow live endpoint changes', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
  removeMember: form('/members/{id}/remove', 'Remove a member', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/members/{id}',
  }),
}
