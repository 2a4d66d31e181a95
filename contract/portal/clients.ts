import { developers, form, ownersOnly, page, readers } from './row.ts'

/** Only owners create and revoke clients in live mode. */
const changing = { roles: developers, liveRoles: ownersOnly } as const

export const clients = {
  clients: page('/clients', 'OAuth clients', { roles: readers, group: 'Build' }),
  newClient: page('/clients/new', 'New client', { ...changing, factor: 'proven' }),
  createClient: form('/clients/new', 'Create client', {
    ...changing,
    factor: 'proven',
  }),
  client: page('/clients/{id}', 'Client', { roles: readers }),
  newSecret: page('/clients/{id}/secrets/new', 'New secret', { ...changing, factor: 'proven' }),
  addSecret: form('/clients/{id}/secrets/new', 'Add secret', {
    ...changing,
    factor: 'proven',
  }),
  revokeSecret: form('/clients/{id}/secrets/{secret}/revoke', 'Revoke secret', {
    ...changing,
    page: '/clients/{id}',
  }),
  endTokens: form('/clients/{id}/end-tokens', 'Revoke all tokens', {
    ...changing,
    page: '/clients/{id}',
  }),
  revokeClient: form('/clients/{id}/revoke', 'Revoke client', {
    ...changing,
    page: '/clients/{id}',
  }),
}
