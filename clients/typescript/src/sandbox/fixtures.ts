// Test resources that are valid against the contract. All people are made up.

import { type Examples, examples, queuedCase } from '../generated/sandbox.ts'
import type { Case } from '../generated/schemas/cases.ts'
import type { EventOf, EventType } from '../generated/schemas/events.ts'

type Make<T> = (fields?: Partial<T>) => T

const copies =
  <T>(value: T): Make<T> =>
  fields => ({ ...structuredClone(value), ...fields })

/** A queued case, unless `status` is `approved`. */
const makeCase: Make<Case> = (fields = {}) => ({
  ...structuredClone(fields.status === 'approved' ? examples.Case : queuedCase),
  ...fields,
})

/** The `examples` key for a resource type, such as `WebhookEndpoint` for `webhook_endpoint`. */
const nameOf = (kind: string) =>
  kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof Examples

function makeEvent<T extends EventType>(type: T, fields: Partial<EventOf<T>> = {}): EventOf<T> {
  const [kind = '', status = ''] = type.split('.')
  const { id } = examples[nameOf(kind)] as { id: string }
  const event = {
    ...structuredClone(examples.Event),
    type,
    resource: { type: kind, id },
    status,
    previous_status: null,
  }
  return { ...(event as unknown as EventOf<T>), ...fields }
}

export const fixtures = {
  organization: copies(examples.Organization),
  medication: copies(examples.Medication),
  patient: copies(examples.Patient),
  consent: copies(examples.Consent),
  case: makeCase,
  message: copies(examples.Message),
  prescription: copies(examples.Prescription),
  order: copies(examples.Order),
  visit: copies(examples.Visit),
  file: copies(examples.File),
  export: copies(examples.Export),
  invoice: copies(examples.Invoice),
  webhookEndpoint: copies(examples.WebhookEndpoint),
  delivery: copies(examples.Delivery),
  event: makeEvent,
}
