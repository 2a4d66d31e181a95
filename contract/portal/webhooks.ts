import { secretMember } from '../preview/destinations.ts'
import { developers, form, ownersOnly, page } from './row.ts'

const row = { roles: developers } as const
/** Only owners, and developers whom an owner allows, choose where live data is sent. */
const guarded = { ...row, liveRoles: ownersOnly, isAllowable: true } as const
/** Used for every form that shows a secret or changes where events are sent. */
const proven = { ...guarded, factor: 'proven' } as const
/** A destination's form has its secret. */
const withSecret = { ...proven, secrets: Object.values(secretMember) } as const

export const webhooks = {
  webhooks: page('/webhooks', 'Webhooks', { ...row, group: 'Observe' }),
  newWebhook: page('/webhooks/new', 'New endpoint', proven),
  createWebhook: form('/webhooks/new', 'Create endpoint', proven),
  newDestination: page('/destinations/new', 'New destination', { ...proven, parent: 'webhooks' }),
  createDestination: form('/destinations/new', 'Create destination', withSecret),
  triggerWebhook: form('/webhooks/trigger', 'Send test event', { ...row, page: '/webhooks' }),
  webhook: page('/webhooks/{id}', 'Endpoint', row),
  editWebhook: page('/webhooks/{id}/edit', 'Edit endpoint', proven),
  updateWebhook: form('/webhooks/{id}/edit', 'Save endpoint', withSecret),
  enableWebhook: form('/webhooks/{id}/enable', 'Enable endpoint', {
    ...guarded,
    page: '/webhooks/{id}',
  }),
  disableWebhook: form('/webhooks/{id}/disable', 'Disable endpoint', {
    ...row,
    page: '/webhooks/{id}',
  }),
  rotateWebhook: form('/webhooks/{id}/rotate', 'Rotate secret', {
    ...proven,
    page: '/webhooks/{id}',
  }),
  replays: page('/webhooks/{id}/replays', 'Replay events', row),
  startReplay: form('/webhooks/{id}/replays', 'Start replay', guarded),
  cancelReplay: form('/webhooks/{id}/replays/{replay}/cancel', 'Cancel replay', {
    ...row,
    page: '/webhooks/{id}/replays',
  }),
  deleteWebhook: form('/webhooks/{id}/delete', 'Delete endpoint', {
    ...proven,
    page: '/webhooks/{id}',
  }),
}
