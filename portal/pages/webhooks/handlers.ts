// Handlers for the webhooks pages.
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhook,
  triggerWebhook,
} from './changes.tsx'
import { createDestination, newDestination } from './destination-form.tsx'
import { showWebhook } from './endpoint.tsx'
import { createWebhook, editWebhook, newWebhook, updateWebhook } from './form.tsx'
import { showWebhooks } from './list.tsx'
import { cancelReplay, showReplays, startReplay } from './replays.tsx'

export const webhookHandlers = {
  webhooks: showWebhooks,
  newWebhook,
  createWebhook,
  newDestination,
  createDestination,
  triggerWebhook,
  webhook: showWebhook,
  editWebhook,
  updateWebhook,
  enableWebhook,
  disableWebhook,
  rotateWebhook,
  deleteWebhook,
  replays: showReplays,
  startReplay,
  cancelReplay,
}
