// The way from a first call to a delivered order: what ticks each step, and the call that does it.
import type { ApiResult } from '../../context.ts'
import type { PortalRowId } from '#contract/portal/table.ts'
import { curlOf } from '../../curl.ts'
import { invented } from '../../invented.ts'

type Success<T> = Extract<T, { problem: null }>
export type Loop = Success<ApiResult<'getLoop'>>['value']

export type Step = {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly isOptional?: boolean
  /** Lines for a terminal. */
  readonly lines: string
  /** A guide of the site. */
  readonly guide: string
  /** A page of the portal that does it as well. */
  readonly page?: { readonly row: PortalRowId; readonly label: string }
}

/** What fills the place of an id that is not known yet. */
const idOr = (id: string | null, prefix: string) => id ?? `${prefix}_…`

export const stepsOf = (api: string, loop: Loop): Step[] => [
  {
    title: 'Make a first call',
    text: 'Put a key of test mode into your shell, and ask who it belongs to.',
    isDone: loop.called,
    lines: `export KEY=svc_sk_test_…\n${curlOf(api, 'getOrganization')}`,
    guide: '/docs/quickstart',
    page: { row: 'newKey', label: 'New key' },
  },
  ...intakeSteps(api, loop),
  ...simulatedSteps(api, loop),
  ...receivingSteps(api, loop),
]

const intakeSteps = (api: string, loop: Loop): Step[] => {
  const patient = idOr(loop.patient, 'pat')
  const consents = (['telehealth', 'privacy'] as const)
    .filter(kind => loop[kind] === null)
    .map(kind => curlOf(api, 'recordConsent', patient, invented.consent(kind)))
  return [
    {
      title: 'Create a patient',
      text: 'Invent one: the sandbox is not for real people.',
      isDone: loop.patient !== null,
      lines: curlOf(api, 'createPatient', '', invented.patient),
      guide: '/docs/patients-and-consents',
    },
    {
      title: 'Record both consents',
      text: 'One for telehealth and one for privacy, each with the version that the patient saw.',
      isDone: (loop.telehealth !== null && loop.privacy !== null) || loop.case !== null,
      lines: consents.join('\n'),
      guide: '/docs/patients-and-consents',
    },
    {
      title: 'File a case',
      text: 'With both consents and what the patient asks for.',
      isDone: loop.case !== null,
      lines: curlOf(
        api,
        'createCase',
        '',
        invented.case(patient, [idOr(loop.telehealth, 'cons'), idOr(loop.privacy, 'cons')]),
      ),
      guide: '/docs/the-loop',
    },
  ]
}

const simulatedSteps = (api: string, loop: Loop): Step[] => {
  const at = (
    operation: 'decideCase' | 'shipCase' | 'deliverCase',
    id: string | null,
    body?: object,
  ) => curlOf(api, operation, idOr(id ?? loop.case, 'case'), body)
  return [
    {
      title: 'Decide it as the clinician',
      text: 'In the sandbox you play the clinician. In live mode a clinician decides every case.',
      isDone: loop.decided,
      lines: at('decideCase', loop.case_to_decide, { decision: 'approve' }),
      guide: '/docs/sandbox',
    },
    {
      title: 'Ship it as the pharmacy',
      text: 'An approval makes a prescription, and the prescription an order.',
      isDone: loop.shipped,
      lines: at('shipCase', loop.case_to_ship, {
        tracking: { carrier: 'ups', number: '1Z999AA10123456784' },
      }),
      guide: '/docs/prescriptions-and-orders',
    },
    {
      title: 'Deliver it',
      text: 'The loop ends when the parcel has arrived.',
      isDone: loop.delivered,
      lines: at('deliverCase', loop.case_to_deliver),
      guide: '/docs/the-loop',
    },
  ]
}

const receivingSteps = (api: string, loop: Loop): Step[] => [
  {
    title: 'Receive an event',
    text:
      loop.endpoint === null
        ? 'Name an address of your server to which events are sent.'
        : 'Your endpoint has not answered yet: send it an event, and answer with 200.',
    isDone: loop.received,
    lines:
      loop.endpoint === null
        ? curlOf(api, 'createWebhookEndpoint', '', {
            url: 'https://your-server.example.com/webhooks',
            event_types: ['*'],
          })
        : curlOf(api, 'triggerWebhook', '', {
            type: 'case.approved.v1',
            webhook_endpoint: loop.endpoint,
          }),
    guide: '/docs/webhooks',
  },
  {
    title: 'Listen in realtime',
    text: 'A page or an app can get the same events over a WebSocket.',
    isDone: loop.realtime,
    isOptional: true,
    lines: curlOf(api, 'createRealtimeToken'),
    guide: '/docs/realtime',
  },
]
