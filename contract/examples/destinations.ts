// Examples of destinations and their requests.

import type { Static } from 'typebox'
import type { Destination, destinations } from '../preview/destinations.ts'
import { ids } from './resources.ts'

const queue = {
  region: 'us-east-1',
  account: '123456789012',
  queue: 'clinic-events',
  access_key_id: 'EXAMPLEACCESSKEYID',
}

export const destination: Static<typeof Destination> = {
  id: ids.webhook_endpoint,
  kind: 'sqs',
  url: 'https://sqs.us-east-1.amazonaws.com/123456789012/clinic-events',
  sqs: queue,
  eventbridge: null,
  pubsub: null,
  event_hubs: null,
  kafka: null,
  s3: null,
  event_types: ['case.approved.v1', 'order.shipped.v1'],
  include_resource: false,
  description: 'Orders, for the warehouse',
  status: 'enabled',
  disabled_at: null,
  created_at: '2026-11-20T15:02:00.000Z',
  updated_at: '2026-11-20T15:02:00.000Z',
}

const secret_access_key = 'the-secret-of-this-access-key'

export const destinationRequests: Readonly<
  Record<string, Static<typeof destinations.createDestination.body>>
> = {
  a_queue: {
    sqs: { ...queue, secret_access_key },
    event_types: ['case.approved.v1', 'order.shipped.v1'],
    description: 'Orders, for the warehouse',
  },
  a_file_an_hour: {
    s3: {
      region: 'us-east-1',
      bucket: 'example-clinic-events',
      prefix: 'events/',
      access_key_id: queue.access_key_id,
      secret_access_key,
    },
    event_types: ['*'],
  },
}
