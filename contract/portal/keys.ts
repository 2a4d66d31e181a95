import { developers, form, ownersOnly, page, readers } from './row.ts'

/** Only owners create and revoke keys in live mode. */
const changing = { roles: developers, liveRoles: ownersOnly } as const

export const keys = {
  keys: page('/keys', 'Keys', { roles: readers, group: 'Build' }),
  newKey: page('/keys/new', 'New key', { ...changing, factor: 'proven' }),
  createKey: form('/keys/new', 'Create key', {
    ...changing,
    factor: 'proven',
  }),
  key: page('/keys/{id}', 'Key', { roles: readers }),
  keyRotation: page('/keys/{id}/rotate', 'Rotate key', { ...changing, factor: 'proven' }),
  rotateKey: form('/keys/{id}/rotate', 'Rotate key', {
    ...changing,
    factor: 'proven',
  }),
  revokeKey: form('/keys/{id}/revoke', 'Revoke key', { ...changing, page: '/keys' }),
}
