// The reads of the webhook pages.
import { Type } from 'typebox'
import { limits } from '../../limits.ts'
import { closed, idOf, listOf, moment, nullable, oneOf, whole } from '../../shapes.ts'
import { page } from '../../api/answers.ts'
import { defineReads } from './read.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

const row = {
  method: 'GET',
  tag: 'Portal',
  scope: 'webhooks:manage',
  mode: 'both',
  tool: false,
  status: 200,
} as const

/** The spans of a deliveries chart, with one bar per hour or UTC day. */
export const deliverySpans = {
  day: { hours: 24, unit: 'hour' },
  week: { hours: 168, unit: 'day' },
} as const

const EndpointHealth = Type.Object({
  id: idOf('webhook_endpoint'),
  failures: whole(0, limits.webhookFailuresMax),
  delivered: count,
  failed: count,
  pending: count,
  last_attempt_at: nullable(moment()),
})

const DeliveryBar = Type.Object({
  at: moment(),
  delivered: count,
  failed: count,
  pending: count,
  p50_ms: nullable(count),
  p95_ms: nullable(count),
})

export const webhookReads = defineReads({
  listEndpointHealth: {
    ...row,
    path: '/portal/endpoint_health',
    summary: 'Read each endpoint’s consecutive failures and the last day’s deliveries.',
    query: closed(page('webhook_endpoint')),
    returns: listOf(EndpointHealth),
  },
  getDeliveryChart: {
    ...row,
    path: '/portal/delivery_chart',
    summary: 'Read deliveries by outcome, and response times, over time.',
    query: closed({
      span: Type.Optional(oneOf(['day', 'week'], { default: 'day' })),
      webhook_endpoint: Type.Optional(idOf('webhook_endpoint')),
    }),
    returns: Type.Object({ bars: Type.Array(DeliveryBar) }),
  },
})
