import { definePortal, developers, ownersOnly, readers } from './row.ts'

const page = '/{integration}/{mode}/clients'
const one = '/{integration}/{mode}/clients/{id}'
/** In live mode only owners make and end clients. */
const changing = { roles: developers, liveRoles: ownersOnly } as const

export const clients = definePortal({
  clients: { method: 'GET', path: page, title: 'OAuth clients', roles: readers, group: 'Build' },
  newClient: {
    method: 'GET',
    path: '/{integration}/{mode}/clients/new',
    title: 'New client',
    ...changing,
    factor: 'proven',
  },
  createClient: {
    method: 'POST',
    path: '/{integration}/{mode}/clients/new',
    title: 'Create a client',
    ...changing,
    factor: 'proven',
    page: '/{integration}/{mode}/clients/new',
  },
  client: { method: 'GET', path: one, title: 'Client', roles: readers },
  newSecret: {
    method: 'GET',
    path: '/{integration}/{mode}/clients/{id}/secrets/new',
    title: 'New secret',
    ...changing,
    factor: 'proven',
  },
  addSecret: {
    method: 'POST',
    path: '/{integration}/{mode}/clients/{id}/secrets/new',
    title: 'Add a secret',
    ...changing,
    factor: 'proven',
    page: '/{integration}/{mode}/clients/{id}/secrets/new',
  },
  revokeSecret: {
    method: 'POST',
    path: '/{integration}/{mode}/clients/{id}/secrets/{secret}/revoke',
    title: 'Revoke a secret',
    ...changing,
    page: one,
  },
  endTokens: {
    method: 'POST',
    path: '/{integration}/{mode}/clients/{id}/end-tokens',
    title: 'End all tokens',
    ...changing,
    page: one,
  },
  revokeClient: {
    method: 'POST',
    path: '/{integration}/{mode}/clients/{id}/revoke',
    title: 'Revoke a client',
    ...changing,
    page: one,
  },
})
