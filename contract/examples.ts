// Operation examples: request bodies, and responses that differ from the schema's example. The
// compiler requires an example for every row with a body; a test validates every value.

import type { Static, TSchema } from 'typebox'
import type { CallableId, callableOperations } from './callable.ts'
import * as files from './examples/files.ts'
import * as resources from './examples/resources.ts'
import { schemaExample } from './examples/schemas.ts'
import { previewExamples } from './examples/preview.ts'
import * as visits from './examples/visits.ts'
import type { OutputOf } from './operation.ts'

const { ids } = resources

type BodyOf<K extends CallableId> = (typeof callableOperations)[K] extends {
  readonly body: infer B
}
  ? B extends 'none'
    ? never
    : B extends TSchema
      ? Static<B>
      : never
  : never
type WithBody = { [K in CallableId]: [BodyOf<K>] extends [never] ? never : K }[CallableId]

/** The patient in the examples, tests and benchmarks. */
export const rivera = {
  first_name: 'Ada',
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: 'ada.rivera@example.com',
  phone: '+14155550142',
  address: {
    line1: '1600 Stockton Street',
    line2: 'Apt 4',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94133',
  },
  external_id: 'cust_8812',
} as const satisfies BodyOf<'createPatient'>

type Examples<K extends CallableId> = ([BodyOf<K>] extends [never]
  ? { readonly requests?: never }
  : {
      /** Bodies by name. The name in words is the example's summary. */
      readonly requests: Readonly<Record<string, BodyOf<K>>>
    }) & {
  /** The response, if it differs from the returned schema's example. */
  readonly answer?: OutputOf<(typeof callableOperations)[K]>
}

/** Examples by operation. Every operation with a body has a request. */
const operationExamples: { readonly [K in WithBody]: Examples<K> } & {
  readonly [K in CallableId]?: Examples<K>
} = {
  createPatient: { requests: { patient: rivera } },
  updatePatient: {
    requests: {
      change_of_phone: { phone: '+14155550177' },
      clear_your_own_id: { external_id: null },
    },
    answer: {
      ...resources.patient,
      phone: '+14155550177',
      updated_at: '2026-11-20T15:06:00.000Z',
    },
  },
  recordConsent: {
    requests: {
      telehealth: {
        kind: 'telehealth',
        version: '2026-09-01',
        accepted_at: '2026-11-20T15:03:58.000Z',
      },
      privacy: { kind: 'privacy', version: '2026-09-01' },
    },
  },
  createExport: {
    answer: { ...files.completedExport, status: 'pending', url: null, expires_at: null },
  },
  createCase: {
    requests: {
      case: {
        patient: ids.patient,
        consent_ids: resources.queuedCase.consent_ids,
        requested_medications: [{ medication_id: ids.medication, quantity: 4, refills: 2 }],
        answers: [resources.answer],
      },
      held_until_files_are_attached: {
        patient: ids.patient,
        consent_ids: resources.queuedCase.consent_ids,
        requested_medications: [{ medication_id: ids.medication }],
        hold: true,
      },
    },
    answer: resources.queuedCase,
  },
  releaseCase: {
    answer: {
      ...resources.queuedCase,
      hold: true,
      files: [ids.file],
      updated_at: '2026-11-20T15:06:10.250Z',
    },
  },
  cancelCase: {
    requests: { reason: { reason: 'Filed twice by mistake.' } },
    answer: {
      ...resources.queuedCase,
      status: 'cancelled',
      reason: 'Filed twice by mistake.',
      updated_at: '2026-11-20T15:05:01.700Z',
    },
  },
  withdrawCase: {
    requests: { reason: { reason: 'The patient found another provider.' } },
    answer: {
      ...resources.queuedCase,
      status: 'withdrawn',
      reason: 'The patient found another provider.',
      updated_at: '2026-11-20T15:05:01.700Z',
    },
  },
  answerCase: {
    requests: { answer: { answers: [{ answer: 'No, never.' }] } },
    answer: {
      ...resources.queuedCase,
      status: 'in_review',
      answers: [resources.answer, resources.answerToClinician],
      updated_at: '2026-11-20T15:08:02.310Z',
    },
  },
  createMessage: {
    requests: { from_the_patient: { body: 'Can I take it in the evening?', author: 'patient' } },
    answer: {
      ...resources.message,
      id: 'msg_01m7wr199gw3d6k8q1h5n9t2vb',
      kind: 'message',
      author: 'patient',
      target: null,
      body: 'Can I take it in the evening?',
      created_at: '2026-11-20T15:08:40.112Z',
    },
  },
  bookVisit: {
    requests: {
      for_a_case: {
        patient: ids.patient,
        starts_at: '2026-11-24T10:00:00-08:00',
        case: ids.case,
      },
      without_one: { patient: ids.patient, starts_at: '2026-11-24T18:00:00.000Z' },
    },
  },
  cancelVisit: {
    answer: visits.cancelledVisit,
  },
  rescheduleVisit: {
    requests: { an_hour_later: { starts_at: '2026-11-24T19:00:00.000Z' } },
    answer: visits.rescheduledVisit,
  },
  createFile: {
    requests: {
      photo_id_for_a_case: {
        patient: ids.patient,
        case: ids.case,
        kind: 'photo_id',
        filename: 'license.jpg',
        mime: 'image/jpeg',
        size_bytes: 348_112,
      },
      only_what_is_needed: { patient: ids.patient, mime: 'application/pdf' },
    },
  },
  confirmFile: {
    requests: {
      photo_id: { patient: ids.patient, kind: 'photo_id', filename: 'license.jpg' },
    },
  },
  deleteFile: {
    answer: { id: ids.file, deleted: true },
  },
  listInvoices: {
    answer: { data: [visits.listedInvoice], has_more: false },
  },
  redeliverEvent: {
    requests: {
      to_every_subscriber: {},
      to_one_endpoint: { webhook_endpoint: ids.webhook_endpoint },
    },
  },
  createWebhookEndpoint: {
    requests: {
      some_types: {
        url: resources.webhookEndpoint.url,
        event_types: ['case.approved.v1', 'case.declined.v1', 'order.shipped.v1'],
        description: 'Production order pipeline',
      },
      everything_with_its_resource: {
        url: resources.webhookEndpoint.url,
        event_types: ['*'],
        include_resource: true,
      },
    },
    answer: { ...resources.webhookEndpoint, secret: resources.webhookSecret },
  },
  updateWebhookEndpoint: {
    requests: {
      enable_again: { status: 'enabled' },
      more_types: { event_types: ['case.approved.v1', 'order.delivered.v1'] },
    },
  },
  rotateWebhookSecret: {
    answer: {
      ...resources.webhookEndpoint,
      secret: 'whsec_b0Dh6Ls9Pu5Rc2wY7qT4n1xJ8m0Qv3kZ',
      previous_secret_expires_at: '2026-11-21T15:20:00.000Z',
      updated_at: '2026-11-20T15:20:00.000Z',
    },
  },
  decideCase: {
    requests: {
      approve: { decision: 'approve' },
      approve_with_another_plan: {
        decision: 'approve',
        plan: [{ medication_id: ids.medication, quantity: 4, refills: 0 }],
      },
      decline: { decision: 'decline', reason: 'This medication is not safe with your history.' },
      ask: {
        decision: 'needs_info',
        target: 'patient',
        question: 'Have you ever had pancreatitis?',
      },
    },
  },
  sendClinicianMessage: {
    requests: { reply: { body: 'Yes, the evening is fine.' } },
    answer: {
      ...resources.message,
      id: 'msg_01m7wr29204x7c0f2p6j8m3rsz',
      kind: 'message',
      target: null,
      body: 'Yes, the evening is fine.',
      created_at: '2026-11-20T15:09:12.640Z',
    },
  },
  shipCase: {
    requests: {
      with_a_parcel: {
        tracking: {
          carrier: 'ups',
          number: '1Z999AA10123456784',
          url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
        },
      },
      without_one: {},
    },
  },
  blockCase: {
    requests: { out_of_stock: { reason: 'Out of stock until Thursday.' } },
  },
  startVisit: {
    answer: visits.startedVisit,
  },
  completeVisit: {
    answer: visits.completedVisit,
  },
  noShowVisit: {
    answer: visits.missedVisit,
  },
  deleteWebhookEndpoint: { answer: { ...resources.deleted, id: resources.ids.webhook_endpoint } },
  triggerWebhook: {
    requests: {
      to_every_subscriber: { type: 'case.approved.v1' },
      to_one_endpoint: { type: 'order.shipped.v1', webhook_endpoint: ids.webhook_endpoint },
    },
  },
  updateAutopilot: {
    requests: {
      both_timers: { approve_after_s: 30, ship_after_s: 120 },
      off: { approve_after_s: null, ship_after_s: null },
    },
  },
  ...previewExamples,
}

const examplesOf = (
  id: string,
): { requests?: Readonly<Record<string, unknown>>; answer?: unknown } =>
  Object.entries(operationExamples).find(([key]) => key === id)?.[1] ?? {}

/** Named examples of an operation's request body. */
export const requestExamples = (id: string): Readonly<Record<string, unknown>> =>
  examplesOf(id).requests ?? {}

/** The example of an operation's response: its own, or its schema's. */
export const answerExample = (id: string, returns: TSchema): unknown =>
  examplesOf(id).answer ?? schemaExample(returns as Readonly<Record<string, unknown>>)
