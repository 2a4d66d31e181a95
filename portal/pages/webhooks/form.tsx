// The form that creates and edits an endpoint.
import { limits } from '#contract/limits.ts'
import { problems } from '#contract/problems.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Copyable, Heading, RowForm } from '#http/html/parts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { faultsOf } from '../../form-faults.ts'
import { missing, problemText, refused } from '../../refused.tsx'
import { EventTypeChoice, eventTypesOf } from './event-types.tsx'
import { secretPage } from './secret.tsx'
import type { Problem } from '#contract/problems.ts'

type EndpointValues = {
  readonly url: string
  readonly description: string | null
  readonly event_types: readonly string[]
  readonly include_resource: boolean
}

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
          <Field
            name="description"
            label="Description"
            value={given.description ?? ''}
            fault={faults['description']}
            isOptional
            input={{ maxlength: 500 }}
          />
          <EventTypeChoice chosen={given.event_types} fault={faults['event_types']} />
          <fieldset>
            <legend>Data</legend>
            <div class="choice">
              <input
                type="checkbox"
                id="include_resource"
                name="include_resource"
                value="true"
                checked={given.include_resource}
              />
              <label for="include_resource">
                Include the resource in each event
                <span class="hint">
                  Includes patient data as of that time. Without it, events carry only IDs and
                  statuses.
                </span>
              </label>
            </div>
          </fieldset>
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

/** The host and path of a URL on the reader's own machine; null for any other. */
function localTarget(typed: string): string | null {
  const url = URL.parse(/^\w+:\/\//.test(typed) ? typed : `http://${typed}`)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  return isLocal ? `${url.host}${url.pathname === '/' ? '' : url.pathname}` : null
}

/** A URL on the reader's own machine is answered with the command that forwards events to it. */
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

const bodyOf = (form: URLSearchParams): EndpointValues => {
  const description = (form.get('description') ?? '').trim()
  return {
    url: (form.get('url') ?? '').trim(),
    description: description === '' ? null : description,
    event_types: eventTypesOf(form),
    include_resource: form.get('include_resource') === 'true',
  }
}

const newForm = (call: MemberCall, given: EndpointValues, problem?: Problem) =>
  endpointForm(call, {
    title: 'New endpoint',
    path: call.pathOf('createWebhook'),
    back: call.pathOf('webhooks'),
    action: 'Create endpoint',
    given,
    ...(problem && { problem }),
  })

const initial: EndpointValues = {
  url: '',
  description: null,
  event_types: ['*'],
  include_resource: false,
}

export const newWebhook: PortalHandler = (_portal, call) => newForm(call, initial)

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
  const found = await callForIntegration(call, 'getWebhookEndpoint', { names: idOf(call) })
  if (found.problem) return missingOr(call, found.problem)
  return editForm(call, found.value)
}

export const updateWebhook: PortalHandler = async (_portal, call) => {
  const given = bodyOf(call.form)
  const names = idOf(call)
  const saved = await callForIntegration(call, 'updateWebhookEndpoint', { names, body: given })
  if (saved.problem?.code === 'not_found') return missingOr(call, saved.problem)
  if (saved.problem) return editForm(call, given, saved.problem)
  return { redirect: call.pathOf('webhook', call.names), toast: { text: 'Endpoint saved' } }
}

export const idOf = ({ names }: MemberCall) => ({ id: names['id'] ?? '' })

/** The page for an endpoint that can’t be shown. */
export const missingOr = (call: MemberCall, problem: Problem) =>
  problem.code === 'not_found'
    ? missing('Endpoint not found', call.pathOf('webhooks'), 'All endpoints')
    : refused(call, 'Endpoint', problem)
