import { definePortal, developers, ownersOnly, readers } from './row.ts'

const page = '/{integration}/{mode}/keys'
/** In live mode only owners make and end keys. */
const changing = { roles: developers, liveRoles: ownersOnly } as const

export const keys = definePortal({
  keys: { method: 'GET', path: page, title: 'Keys', roles: readers, group: 'Build' },
  newKey: {
    method: 'GET',
    path: '/{integration}/{mode}/keys/new',
    title: 'New key',
    ...changing,
    factor: 'proven',
  },
  createKey: {
    method: 'POST',
    path: '/{integration}/{mode}/keys/new',
    title: 'Create a key',
    ...changing,
    factor: 'proven',
    page: '/{integration}/{mode}/keys/new',
  },
  key: { method: 'GET', path: '/{integration}/{mode}/keys/{id}', title: 'Key', roles: readers },
  keyRotation: {
    method: 'GET',
    path: '/{integration}/{mode}/keys/{id}/rotate',
    title: 'Rotate a key',
    ...changing,
    factor: 'proven',
  },
  rotateKey: {
    method: 'POST',
    path: '/{integration}/{mode}/keys/{id}/rotate',
    title: 'Rotate a key',
    ...changing,
    factor: 'proven',
    page: '/{integration}/{mode}/keys/{id}/rotate',
  },
  revokeKey: {
    method: 'POST',
    path: '/{integration}/{mode}/keys/{id}/revoke',
    title: 'Revoke a key',
    ...changing,
    page,
  },
})
