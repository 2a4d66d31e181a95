import { definePortal, developers, ownersOnly, readers } from './row.ts'

const page = '/{integration}/{mode}/keys'

export const keys = definePortal({
  keys: { method: 'GET', path: page, title: 'Keys', roles: readers, group: 'Build' },
  newKey: {
    method: 'GET',
    path: '/{integration}/{mode}/keys/new',
    title: 'New key',
    roles: developers,
    liveRoles: ownersOnly,
    factor: 'proven',
  },
  createKey: {
    method: 'POST',
    path: '/{integration}/{mode}/keys/new',
    title: 'Create a key',
    roles: developers,
    liveRoles: ownersOnly,
    factor: 'proven',
    page: '/{integration}/{mode}/keys/new',
  },
  revokeKey: {
    method: 'POST',
    path: '/{integration}/{mode}/keys/{id}/revoke',
    title: 'Revoke a key',
    roles: developers,
    liveRoles: ownersOnly,
    page,
  },
})
