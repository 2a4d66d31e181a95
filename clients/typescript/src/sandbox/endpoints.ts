// The in-process sandbox's webhook endpoints. The sandbox sends no deliveries.

import { limits } from '../generated/sandbox.ts'
import type {
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointUpdateParams,
} from '../generated/schemas/webhooks.ts'
import { uuid } from '../runtime.ts'
import type { Handlers, Input } from './handlers.ts'
import { Refusal } from './refusal.ts'
import { type Row, textOf } from './store.ts'

type EndpointRow = WebhookEndpoint & Row

const newSecret = () => `whsec_${uuid().replaceAll('-', '')}`

const find = ({ store, path }: Input) => store.find<EndpointRow>('we', path['id'])

function createWebhookEndpoint({ store, body }: Input): EndpointRow {
  const { webhookEndpointsMax: limit } = limits
  if (store.all('we').length >= limit) {
    const detail = `You already have ${limit} endpoints, which is the limit.`
    throw new Refusal('endpoint_limit_reached', { detail, limit })
  }
  const { text } = store.next()
  const endpoint = store.add<EndpointRow>('we', {
    include_resource: false,
    description: null,
    ...(body as unknown as WebhookEndpointCreateParams),
    status: 'enabled',
    previous_secret_expires_at: null,
    disabled_at: null,
    created_at: text,
    updated_at: text,
  })
  return { ...endpoint, secret: newSecret() }
}

function updateWebhookEndpoint(input: Input): EndpointRow {
  const { store, body } = input
  const endpoint = find(input)
  const { status = endpoint.status } = body as WebhookEndpointUpdateParams
  const { text } = store.next()
  const disabledAt = endpoint.disabled_at ?? text
  const disabled_at = status === 'disabled' ? disabledAt : null
  const changed = { ...endpoint, ...body, disabled_at }
  if (JSON.stringify(changed) === JSON.stringify(endpoint)) return endpoint
  return store.change(endpoint, { ...changed, updated_at: text })
}

function rotateWebhookSecret(input: Input): EndpointRow {
  const { text, milliseconds } = input.store.next()
  const ends = textOf(milliseconds + limits.webhookSecretGraceHours * 3_600_000)
  const fields = { previous_secret_expires_at: ends, updated_at: text }
  return { ...input.store.change(find(input), fields), secret: newSecret() }
}

export const endpoints: Handlers = {
  createWebhookEndpoint,
  listWebhookEndpoints: ({ store }) => store.all('we'),
  getWebhookEndpoint: find,
  updateWebhookEndpoint,
  deleteWebhookEndpoint(input) {
    const { id } = find(input)
    input.store.remove(id)
    return { id, deleted: true }
  },
  rotateWebhookSecret,
  listDeliveries(input) {
    find(input)
    return []
  },
}
