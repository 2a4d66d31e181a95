// The sandbox's controls: calls that act as the clinician and the pharmacy. Test mode only.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, idOf, nullable, oneOf, text } from '../shapes.ts'
import { Case, PlanLineInput } from './cases.ts'
import { Event } from './events.ts'
import { Message, TrackingInput } from './thread.ts'
import { Visit } from './visits.ts'

const Decision = closed({
  decision: oneOf(['approve', 'decline', 'needs_info']),
  plan: Type.Optional(
    Type.Array(PlanLineInput, {
      minItems: 1,
      maxItems: limits.planLinesMax,
      description:
        'Only with approve. Default: what was requested. Omitted values, dispensable included, ' +
        'come from the catalog.',
    }),
  ),
  reason: Type.Optional(
    text(1, 2000, { description: 'Required with decline, refused otherwise.' }),
  ),
  target: Type.Optional(
    oneOf(['patient', 'integration'], {
      description: 'Required with needs_info, refused otherwise.',
    }),
  ),
  question: Type.Optional(
    text(1, 2000, { description: 'Required with needs_info, refused otherwise.' }),
  ),
})

const Ship = closed({
  tracking: Type.Optional(
    nullable(TrackingInput, { default: null, description: 'One parcel, set on each order.' }),
  ),
})

export const sandbox = define({
  decideCase: {
    method: 'POST',
    path: '/v1/test/cases/{id}/decision',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the clinician's decision.",
    description: 'The case passes through in_review first, which sends its own event.',
    body: Decision,
    status: 200,
    returns: Case,
    emits: [
      'case.in_review.v1',
      'case.approved.v1',
      'prescription.created.v1',
      'order.created.v1',
      'case.declined.v1',
      'case.waiting_on_patient.v1',
      'case.waiting_on_integration.v1',
      'case.question_asked.v1',
    ],
    refuses: ['invalid_transition'],
  },
  sendClinicianMessage: {
    method: 'POST',
    path: '/v1/test/cases/{id}/clinician_message',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the clinician's reply on the thread.",
    body: closed({ body: text(1, 5000) }),
    status: 201,
    returns: Message,
    emits: ['case.message_created.v1'],
    refuses: ['invalid_transition'],
  },
  shipCase: {
    method: 'POST',
    path: '/v1/test/cases/{id}/ship',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the pharmacy shipping a case's orders.",
    description:
      'Ships every order that can be shipped, all or none. An order that is created or blocked ' +
      'passes through at_pharmacy first, which sends its own event.',
    body: Ship,
    status: 200,
    returns: Case,
    emits: ['order.at_pharmacy.v1', 'order.shipped.v1', 'prescription.updated.v1'],
    refuses: ['invalid_transition'],
  },
  deliverCase: {
    method: 'POST',
    path: '/v1/test/cases/{id}/deliver',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the delivery of a case's orders.",
    body: 'none',
    status: 200,
    returns: Case,
    emits: ['order.delivered.v1'],
    refuses: ['invalid_transition'],
  },
  blockCase: {
    method: 'POST',
    path: '/v1/test/cases/{id}/block',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the pharmacy blocking a case's orders.",
    description: 'Ship resumes a blocked order.',
    body: closed({ reason: text(1, 2000) }),
    status: 200,
    returns: Case,
    emits: ['order.blocked.v1'],
    refuses: ['invalid_transition'],
  },
  failCase: {
    method: 'POST',
    path: '/v1/test/cases/{id}/fail',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Simulate the permanent failure of a case's orders.",
    body: 'none',
    status: 200,
    returns: Case,
    emits: ['order.failed.v1', 'prescription.updated.v1'],
    refuses: ['invalid_transition'],
  },
  startVisit: {
    method: 'POST',
    path: '/v1/test/visits/{id}/start',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: 'Simulate the clinician starting the visit.',
    description: 'It can be called at any time, also before starts_at.',
    body: 'none',
    status: 200,
    returns: Visit,
    emits: ['visit.started.v1'],
    refuses: ['invalid_transition'],
  },
  completeVisit: {
    method: 'POST',
    path: '/v1/test/visits/{id}/complete',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: 'Simulate the end of a started visit.',
    description:
      'It creates a `video_visit` charge; no other operation creates charges. In test mode the ' +
      'charge is only in its event, not in usage or an invoice.',
    body: 'none',
    status: 200,
    returns: Visit,
    emits: ['visit.completed.v1', 'charge.created.v1'],
    refuses: ['invalid_transition'],
  },
  noShowVisit: {
    method: 'POST',
    path: '/v1/test/visits/{id}/no_show',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: 'Simulate a patient who does not show up.',
    description: 'It creates no charge.',
    body: 'none',
    status: 200,
    returns: Visit,
    emits: ['visit.no_show.v1'],
    refuses: ['invalid_transition'],
  },
  triggerWebhook: {
    method: 'POST',
    path: '/v1/test/webhooks/trigger',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: 'Write an event of any type about a made-up resource, and deliver it.',
    description:
      'The event is listed and delivered like any other; its resource answers 404. With ' +
      'webhook_endpoint only that endpoint receives it, whatever its subscriptions. ' +
      'An endpoint with include_resource needs the read scope of the resource. ' +
      `At most ${limits.triggersPerWindow} per minute. Also 429 while deliveries are a minute behind.`,
    quota: 'triggers',
    body: closed({
      type: oneOf(eventTypes),
      webhook_endpoint: Type.Optional(idOf('webhook_endpoint')),
    }),
    status: 201,
    returns: Event,
    emits: eventTypes,
    refuses: ['endpoint_disabled'],
  },
})
