import { definePortal, everyRole, ownersOnly } from './row.ts'

const page = '/{integration}/{mode}/organizations'

export const organizations = definePortal({
  organizations: {
    method: 'GET',
    path: page,
    title: 'Organizations',
    roles: everyRole,
    group: 'Organization',
  },
  newGrantRequest: {
    method: 'GET',
    path: '/{integration}/{mode}/organizations/request',
    title: 'Request access to a clinic',
    roles: ownersOnly,
    factor: 'fresh',
  },
  requestGrant: {
    method: 'POST',
    path: '/{integration}/{mode}/organizations/request',
    title: 'Request access to a clinic',
    roles: ownersOnly,
    factor: 'fresh',
  },
  grant: {
    method: 'GET',
    path: '/{integration}/{mode}/organizations/{id}',
    title: 'Grant',
    roles: everyRole,
  },
  withdrawGrant: {
    method: 'POST',
    path: '/{integration}/{mode}/organizations/{id}/withdraw',
    title: 'Withdraw a request',
    roles: ownersOnly,
    factor: 'fresh',
    page: '/{integration}/{mode}/organizations/{id}',
  },
})
