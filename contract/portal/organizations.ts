import { everyRole, form, ownersOnly, page } from './row.ts'

export const organizations = {
  organizations: page('/organizations', 'Clinics', {
    roles: everyRole,
    group: 'Account',
  }),
  newGrantRequest: page('/organizations/request', 'Request access to a clinic', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  requestGrant: form('/organizations/request', 'Request access to a clinic', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  grant: page('/organizations/{id}', 'Clinic', { roles: everyRole }),
  withdrawGrant: form('/organizations/{id}/withdraw', 'Withdraw request', {
    roles: ownersOnly,
    factor: 'fresh',
    page: '/organizations/{id}',
  }),
}
