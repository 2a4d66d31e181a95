// The form that creates and edits an endpoint.
import { limits } from '#contract/limits.ts'
import { problems } from '#contract/problems.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Copyable, Heading, RowForm } from '#http/html/parts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { faultsOf } from '../../form-faults.ts'
import { problemText } from '../../refused.tsx'
import { openDestination, updateDestination } from './destination-form.tsx'
import { findEndpoint, idOf, missingOr } from './find.tsx'
import {
  everything,
  SubscriptionFields,
  subscriptionOf,
  type Subscription,
} from './subscription.tsx'
import { secretPage } from './secret.tsx'
import type { Problem } from '#contract/problems.ts'

type EndpointValues = Subscription & { readonly url: string }

type Form = {
  readonly title: string
  readonly path: string
  readonly back: string
  readonly action: string
  readonly given: EndpointValues
  readonly problem?: Problem
}

const fieldNames = new Set(['url', 'description', 'event_types', 'include_resource'])

const endpointForm = (call: MemberCall, { title, path, back, action, given, problem }: Form) => {
  const faults = problem ? faultsOf(problem) : {}
  const isOfField = Object.keys(faults).some(name => fieldNames.has(name))
  return {
    title,
    status: problem === undefined ? 200 : isOfField ? 422 : problems[problem.code].status,
    content: (
      <>
        <Heading title={title} />
        {problem && !isOfField && <Alert>{problemText(problem)}</Alert>}
        <RowForm call={call} path={path} class="stack">
          <UrlField value={given.url} fault={faults['url']} />
          <SubscriptionFields given={given} faults={faults} />
          <div class="actions">
            <button class="button">{action}</button>
            <a class="button second" href={back}>
              Cancel
            </a>
          </div>
        </RowForm>
      </>
    ),
  }
}

const forward = (target: string) => `svc listen --forward-to ${target}`

/** The host and path of a URL on the reader's own machine, or null for any other. */
function localTarget(typed: string): string | null {
  const url = URL.parse(/^\w+:\/\//.test(typed) ? typed : `http://${typed}`)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  return isLocal ? `${url.host}${url.pathname === '/' ? '' : url.pathname}` : null
}

/** For a URL on the reader's own machine, shows the command that forwards events to it. */
const UrlField = ({ value, fault }: { value: string; fault: string | undefined }) => {
  const target = localTarget(value)
  const isLocal = fault !== undefined && target !== null
  return (
    <>
      <Field
        name="url"
        label="URL"
        type="url"
        hint={
          <>
            A public https:// URL. To receive events on your own machine, run{' '}
            <code>{forward('localhost:4000/webhooks')}</code> instead.
          </>
        }
        value={value}
        fault={
          isLocal
            ? 'We can’t reach your machine. Forward events to it with the CLI instead:'
            : fault
        }
        focus
        input={{ maxlength: limits.webhookUrlLengthMax, placeholder: 'https://' }}
      />
      {isLocal && <Copyable label="Forward events to your machine" text={forward(target)} />}
    </>
  )
}

const bodyOf = (form: URLSearchParams): EndpointValues => ({
  url: (form.get('url') ?? '').trim(),
  ...subscriptionOf(form),
})

const newForm = (call: MemberCall, given: EndpointValues, problem?: Problem) =>
  endpointForm(call, {
    title: 'New endpoint',
    path: call.pathOf('createWebhook'),
    back: call.pathOf('webhooks'),
    action: 'Create endpoint',
    given,
    ...(problem && { problem }),
  })

export const newWebhook: PortalHandler = (_portal, call) =>
  newForm(call, call.row === 'createWebhook' ? bodyOf(call.form) : { url: '', ...everything })

export const createWebhook: PortalHandler = async (portal, call) => {
  const given = bodyOf(call.form)
  const made = await callForIntegration(call, 'createWebhookEndpoint', { body: given })
  if (made.problem) return newForm(call, given, made.problem)
  return secretPage(portal, call, made.value, {
    title: 'Endpoint created',
    lead: 'Copy the signing secret now. You won’t see it again.',
  })
}

const editForm = (call: MemberCall, given: EndpointValues, problem?: Problem) =>
  endpointForm(call, {
    title: 'Edit endpoint',
    path: call.pathOf('updateWebhook', call.names),
    back: call.pathOf('webhook', call.names),
    action: 'Save',
    given,
    ...(problem && { problem }),
  })

export const editWebhook: PortalHandler = async (_portal, call) => {
  const found = await findEndpoint(call)
  if (found.problem) return missingOr(call, found.problem)
  if (found.destination) return openDestination(call, found.destination)
  return editForm(call, call.row === 'updateWebhook' ? bodyOf(call.form) : found.value)
}

export const updateWebhook: PortalHandler = async (_portal, call) => {
  if (call.form.has('kind')) return updateDestination(call)
  const given = bodyOf(call.form)
  const names = idOf(call)
  const saved = await callForIntegration(call, 'updateWebhookEndpoint', { names, body: given })
  if (saved.problem?.code === 'not_found') return missingOr(call, saved.problem)
  if (saved.problem) return editForm(call, given, saved.problem)
  return { redirect: call.pathOf('webhook', call.names), toast: { text: 'Endpoint saved' } }
}
