import { definePortal, developers } from './row.ts'

const page = '/{integration}/{mode}/webhooks'
const one = '/{integration}/{mode}/webhooks/{id}'

const row = { roles: developers } as const
/** What shows a secret, or changes where events go. */
const proven = { ...row, factor: 'proven' } as const

export const webhooks = definePortal({
  webhooks: { ...row, method: 'GET', path: page, title: 'Webhooks', group: 'Observe' },
  newWebhook: {
    ...proven,
    method: 'GET',
    path: '/{integration}/{mode}/webhooks/new',
    title: 'New endpoint',
  },
  createWebhook: {
    ...proven,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/new',
    title: 'Create an endpoint',
    page: '/{integration}/{mode}/webhooks/new',
  },
  triggerWebhook: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/trigger',
    title: 'Send a test event',
    page,
  },
  webhook: { ...row, method: 'GET', path: one, title: 'Endpoint' },
  editWebhook: {
    ...proven,
    method: 'GET',
    path: '/{integration}/{mode}/webhooks/{id}/edit',
    title: 'Edit an endpoint',
  },
  updateWebhook: {
    ...proven,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/edit',
    title: 'Change an endpoint',
    page: '/{integration}/{mode}/webhooks/{id}/edit',
  },
  enableWebhook: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/enable',
    title: 'Enable an endpoint',
    page: one,
  },
  disableWebhook: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/disable',
    title: 'Disable an endpoint',
    page: one,
  },
  rotateWebhook: {
    ...proven,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/rotate',
    title: 'Rotate the secret of an endpoint',
    page: one,
  },
  replays: {
    ...row,
    method: 'GET',
    path: '/{integration}/{mode}/webhooks/{id}/replays',
    title: 'Replay a time range',
  },
  startReplay: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/replays',
    title: 'Start a replay',
    page: '/{integration}/{mode}/webhooks/{id}/replays',
  },
  cancelReplay: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/replays/{replay}/cancel',
    title: 'Cancel a replay',
    page: '/{integration}/{mode}/webhooks/{id}/replays',
  },
  deleteWebhook: {
    ...proven,
    method: 'POST',
    path: '/{integration}/{mode}/webhooks/{id}/delete',
    title: 'Delete an endpoint',
    page: one,
  },
})
