import { everyRole, form, ownersOnly, page } from './row.ts'

export const organizations = {
  organizations: page('/organizations', 'Organizations', {
    roles: everyRole,
    group: 'Organization',
  }),
  newGrantRequest: page('/organizations/request', 'Request access to a clinic', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  requestGrant: form('/organizations/request', 'Request access to a clinic', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  grant: page('/organizations/{id}', 'Grant', { roles: everyRole }),
  withdrawGrant: form('/organizations/{id}/withdraw', 'Withdraw a request', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/organizations/{id}',
  }),
}
