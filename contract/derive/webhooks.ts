// Events as `webhooks` in the OpenAPI document, so code generators can type what endpoints receive.

import { type TSchema, Type } from 'typebox'
import { Deleted } from '../api/answers.ts'
import { Charge } from '../api/billing.ts'
import { Case } from '../api/cases.ts'
import { Event } from '../api/events.ts'
import { File } from '../api/files.ts'
import { Consent, Patient } from '../api/patients.ts'
import { Order, Prescription } from '../api/thread.ts'
import { Visit } from '../api/visits.ts'
import { WebhookEndpoint } from '../api/webhooks.ts'
import {
  deletableResources,
  type EventResource,
  eventTypes,
  resourceOf,
  webhookHeaders,
} from '../events.ts'
import { idPattern, prefixes } from '../ids.ts'
import { limits } from '../limits.ts'
import type { Node, Schemas } from './schemas.ts'

const schemas: Readonly<Record<EventResource, TSchema>> = {
  patient: Patient,
  consent: Consent,
  file: File,
  case: Case,
  prescription: Prescription,
  order: Order,
  visit: Visit,
  charge: Charge,
  webhook_endpoint: WebhookEndpoint,
}

/** The content of `data` with include_resource. A deleted resource has only its ID. */
const dataOf = (kind: EventResource): TSchema =>
  deletableResources.has(kind) ? Type.Unsafe({ anyOf: [schemas[kind], Deleted] }) : schemas[kind]

const titled = (name: string) => name.replaceAll(/(?:^|-)[a-z]/g, letter => letter.toUpperCase())

const header = (name: string, required: boolean, description: string, schema: Node): Node => ({
  name: titled(name),
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
})

const deliveryHeaders = [
  header(
    webhookHeaders.signature,
    true,
    `\`t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 of the time, a dot and the raw body, keyed with the whole secret. During a rotation there are two v1 values.`,
    { pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  ),
  header(
    webhookHeaders.event,
    true,
    'The same for every delivery of the event: use it to recognize duplicates.',
    {
      pattern: idPattern(prefixes.event),
    },
  ),
  header(webhookHeaders.type, true, 'The event type.', {}),
  header(webhookHeaders.delivery, true, 'ID of the delivery.', {
    pattern: idPattern(prefixes.delivery),
  }),
  header(webhookHeaders.replay, false, 'ID of the replay, if one sent the event.', {
    pattern: idPattern(prefixes.replay),
  }),
]

export const webhookParameters: Node = Object.fromEntries(
  deliveryHeaders.map(parameter => [String(parameter['name']), parameter]),
)

const responses: Node = {
  '2XX': {
    description: `Received. Any other status, or none within ${limits.webhookAttemptSeconds} seconds, is retried.`,
  },
}

/** Turns `case.approved.v1` into onCaseApproved. */
const operationIdOf = (type: string) =>
  `on_${type.replace(/\.v1$/, '').replace('.', '_')}`.replaceAll(/_(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )

/** One entry per event type. */
export const webhooksOf = (schemas: Schemas): Node =>
  Object.fromEntries(
    eventTypes.map(type => {
      const resource = resourceOf(type)
      const narrowed = Type.Object({
        type: Type.Unsafe({ const: type }),
        resource: Type.Object({ type: Type.Unsafe({ const: resource }) }),
        data: Type.Optional(dataOf(resource)),
      })
      const post = {
        operationId: operationIdOf(type),
        tags: ['Webhooks'],
        summary: `Receive ${type}`,
        description: `Sent to endpoints that subscribe to \`${type}\`. \`data\` is present only with include_resource.`,
        security: [],
        parameters: Object.keys(webhookParameters).map(name => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { allOf: [schemas.refer(Event), schemas.refer(narrowed)] },
            },
          },
        },
        responses,
      }
      return [type, { post }]
    }),
  )
