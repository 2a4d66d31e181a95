// The steps from a first request to a delivered order: the condition that checks off each step, and
// its request.
import type { ApiResult } from '../../context.ts'
import type { CallableId } from '#contract/callable.ts'
import type { PortalRowId } from '#contract/portal/table.ts'
import { curlOf } from '../../curl.ts'
import { synthetic } from '../../synthetic.ts'

type Success<T> = Extract<T, { problem: null }>
export type Loop = Success<ApiResult<'getLoop'>>['value']

export type Step = {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  /** The operation that the commands call, for a link to its form in the API reference. */
  readonly operation?: CallableId
  /** Commands for a terminal. */
  readonly lines: string
  /** The path of a guide on the site. */
  readonly guide: string
  /** A portal page that does the same. */
  readonly page?: { readonly row: PortalRowId; readonly label: string }
}

/** A request as a curl command, with its own idempotency key. */
type Curl = (operation: CallableId, given?: { id?: string; body?: object }) => string

/** A placeholder for an ID that isn't known yet. */
const idOr = (id: string | null, prefix: string) => id ?? `${prefix}_…`

export function stepsOf(api: string, loop: Loop, newKey: () => string): Step[] {
  const curl: Curl = (operation, given) => curlOf(operation, { api, key: newKey(), ...given })
  return [
    {
      title: 'Send your first request',
      text: 'Create a test key, then check which clinic it’s for.',
      isDone: loop.called,
      operation: 'getOrganization',
      lines: `export KEY=svc_sk_test_…\n${curl('getOrganization')}`,
      guide: '/docs/quickstart',
      page: { row: 'newKey', label: 'New key' },
    },
    ...intakeSteps(curl, loop),
    ...simulatedSteps(curl, loop),
    receivingStep(curl, loop),
  ]
}

const intakeSteps = (curl: Curl, loop: Loop): Step[] => {
  const patient = idOr(loop.patient, 'pat')
  const consents = (['telehealth', 'privacy'] as const)
    .filter(kind => loop[kind] === null)
    .map(kind => curl('recordConsent', { id: patient, body: synthetic.consent(kind) }))
  const consentIds = [idOr(loop.telehealth, 'cons'), idOr(loop.privacy, 'cons')]
  return [
    {
      title: 'Create a patient',
      text: 'Use made-up details. Never send a real person’s data to the sandbox.',
      isDone: loop.patient !== null,
      operation: 'createPatient',
      lines: curl('createPatient', { body: synthetic.patient }),
      guide: '/docs/patients-and-consents',
    },
    {
      title: 'Record both consents',
      text: 'One for telehealth and one for privacy, with the version the patient saw.',
      isDone: (loop.telehealth !== null && loop.privacy !== null) || loop.case !== null,
      operation: 'recordConsent',
      lines: consents.join('\n'),
      guide: '/docs/patients-and-consents',
    },
    {
      title: 'File a case',
      text: 'Include both consents and the requested medication.',
      isDone: loop.case !== null,
      operation: 'createCase',
      lines: curl('createCase', { body: synthetic.case(patient, consentIds) }),
      guide: '/docs/the-loop',
    },
  ]
}

const simulatedSteps = (curl: Curl, loop: Loop): Step[] => {
  const idOf = (id: string | null) => idOr(id ?? loop.case, 'case')
  return [
    {
      title: 'Approve the case',
      text: 'In the sandbox you play the clinician. In live mode, a clinician decides every case.',
      isDone: loop.decided,
      operation: 'decideCase',
      lines: curl('decideCase', { id: idOf(loop.case_to_decide), body: { decision: 'approve' } }),
      guide: '/docs/sandbox',
    },
    {
      title: 'Ship the order',
      text: 'Approval creates a prescription and an order. You play the pharmacy.',
      isDone: loop.shipped,
      operation: 'shipCase',
      lines: curl('shipCase', {
        id: idOf(loop.case_to_ship),
        body: { tracking: { carrier: 'ups', number: '1Z999AA10123456784' } },
      }),
      guide: '/docs/prescriptions-and-orders',
    },
    {
      title: 'Deliver the order',
      text: 'This completes the loop.',
      isDone: loop.delivered,
      operation: 'deliverCase',
      lines: curl('deliverCase', { id: idOf(loop.case_to_deliver) }),
      guide: '/docs/the-loop',
    },
  ]
}

/** `svc listen` receives events with a realtime token, so it needs no public URL. */
const receivingStep = (curl: Curl, loop: Loop): Step => ({
  title: 'Receive an event',
  isDone: loop.received || loop.realtime,
  guide: '/docs/cli#webhooks-on-your-machine',
  page: { row: 'newWebhook', label: 'New endpoint' },
  ...(loop.endpoint === null
    ? {
        text: 'Forward events to your machine with the CLI, then trigger one in another terminal.',
        lines: 'svc listen --forward-to localhost:4000/webhooks\nsvc trigger order.shipped.v1',
      }
    : {
        text: 'Your endpoint hasn’t responded yet. Send it an event and respond with 200.',
        operation: 'triggerWebhook',
        lines: curl('triggerWebhook', {
          body: { type: 'case.approved.v1', webhook_endpoint: loop.endpoint },
        }),
      }),
})
