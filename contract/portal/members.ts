import { definePortal, everyRole, ownersOnly } from './row.ts'

const page = '/{integration}/{mode}/members'

export const members = definePortal({
  members: {
    method: 'GET',
    path: page,
    title: 'Members',
    roles: everyRole,
    group: 'Organization',
  },
  // It gives up rights and gains none, so it needs no second factor.
  leave: {
    method: 'POST',
    path: '/{integration}/{mode}/members/leave',
    title: 'Leave the integration',
    roles: everyRole,
    page,
  },
  newInvitation: {
    method: 'GET',
    path: '/{integration}/{mode}/members/invite',
    title: 'Invite a member',
    roles: ownersOnly,
    factor: 'fresh',
  },
  inviteMember: {
    method: 'POST',
    path: '/{integration}/{mode}/members/invite',
    title: 'Invite a member',
    roles: ownersOnly,
    factor: 'fresh',
  },
  cancelInvitation: {
    method: 'POST',
    path: '/{integration}/{mode}/members/invitations/{id}/cancel',
    title: 'Cancel an invitation',
    roles: ownersOnly,
    factor: 'fresh',
    page,
  },
  member: {
    method: 'GET',
    path: '/{integration}/{mode}/members/{id}',
    title: 'Member',
    roles: ownersOnly,
    factor: 'fresh',
  },
  changeRole: {
    method: 'POST',
    path: '/{integration}/{mode}/members/{id}/role',
    title: 'Change a role',
    roles: ownersOnly,
    factor: 'fresh',
    page: '/{integration}/{mode}/members/{id}',
  },
  removeMember: {
    method: 'POST',
    path: '/{integration}/{mode}/members/{id}/remove',
    title: 'Remove a member',
    roles: ownersOnly,
    factor: 'fresh',
    page: '/{integration}/{mode}/members/{id}',
  },
})
