// Sandbox operations that act as the clinician and the pharmacy. Test mode only.

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
        'Only with approve. Defaults to what was requested. Omitted values, including dispensable, ' +
        'come from the catalog.',
    }),
  ),
  reason: Type.Optional(
    text(1, 2000, { description: 'Required with decline; not allowed otherwise.' }),
  ),
  target: Type.Optional(
    oneOf(['patient', 'integration'], {
      description: 'Required with needs_info; not allowed otherwise.',
    }),
  ),
  question: Type.Optional(
    text(1, 2000, { description: 'Required with needs_info; not allowed otherwise.' }),
  ),
})

const Ship = closed({
  tracking: Type.Optional(
    nullable(TrackingInput, { default: null, description: 'The package, set on each order.' }),
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
    description: 'The case moves to in_review first, which sends its own event.',
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
    summary: "Simulate a message from the clinician on a case's thread.",
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
      'Ships every order that can ship, all or none. Orders that are created or blocked move to ' +
      'at_pharmacy first, which sends its own event.',
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
    summary: "Simulate delivery of a case's orders.",
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
    description: 'To resume a blocked order, ship it.',
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
    summary: "Simulate permanent failure of a case's orders.",
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
    summary: 'Simulate the clinician starting a visit.',
    description: 'You can start a visit at any time, even before starts_at.',
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
    summary: 'Simulate the clinician completing a started visit.',
    description:
      'Creates a `video_visit` charge; no other operation creates charges. In test mode the charge ' +
      'appears only in its event, not in usage or invoices.',
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
    summary: 'Simulate a patient not showing up for a visit.',
    description: 'Creates no charge.',
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
    summary: 'Send an event of any type about a made-up resource.',
    description:
      'The event is listed and delivered like any other, but its resource returns 404. With ' +
      'webhook_endpoint, only that endpoint receives it, whatever it subscribes to. ' +
      "If an endpoint has include_resource, you need the resource's read scope. " +
      `Limited to ${limits.triggersPerWindow} per minute, and refused with 429 while deliveries are a minute behind.`,
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
