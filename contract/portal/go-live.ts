import { definePortal, everyRole, ownersOnly } from './row.ts'

const page = '/{integration}/{mode}/go-live'

export const goLive = definePortal({
  goLive: { method: 'GET', path: page, title: 'Go live', roles: everyRole, group: 'Organization' },
  agreement: {
    method: 'GET',
    path: '/{integration}/{mode}/go-live/agreement',
    title: 'Business associate agreement',
    roles: everyRole,
  },
  newAcceptance: {
    method: 'GET',
    path: '/{integration}/{mode}/go-live/accept',
    title: 'Accept the agreement',
    roles: ownersOnly,
    factor: 'fresh',
  },
  acceptAgreement: {
    method: 'POST',
    path: '/{integration}/{mode}/go-live/accept',
    title: 'Accept the agreement',
    roles: ownersOnly,
    factor: 'fresh',
  },
  acceptance: {
    method: 'GET',
    path: '/{integration}/{mode}/go-live/agreements/{id}',
    title: 'Accepted agreement',
    roles: everyRole,
  },
})
