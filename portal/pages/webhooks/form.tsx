// Making an endpoint and changing one: the same form.
import { limits } from '#contract/limits.ts'
import { problems } from '#contract/problems.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { faultsOf, missing, problemText, refused } from '../../refused.tsx'
import { EventTypeChoice, eventTypesOf } from './event-types.tsx'
import { secretPage } from './secret.tsx'
import type { Problem } from '#contract/problems.ts'

type Given = {
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
  readonly given: Given
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
          <Field
            name="url"
            label="URL"
            type="url"
            hint="https, at a public address. It is checked now and before every attempt."
            value={given.url}
            fault={faults['url']}
            focus
            input={{ maxlength: limits.webhookUrlLengthMax, placeholder: 'https://' }}
          />
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
                Send the resource with each event
                <span class="hint">
                  As it is at that time, with what it says of a patient. Without it an event has ids
                  and states only.
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

const bodyOf = (form: URLSearchParams): Given => {
  const description = (form.get('description') ?? '').trim()
  return {
    url: (form.get('url') ?? '').trim(),
    description: description === '' ? null : description,
    event_types: eventTypesOf(form),
    include_resource: form.get('include_resource') === 'true',
  }
}

const newForm = (call: MemberCall, given: Given, problem?: Problem) =>
  endpointForm(call, {
    title: 'New endpoint',
    path: call.pathOf('createWebhook'),
    back: call.pathOf('webhooks'),
    action: 'Create endpoint',
    given,
    ...(problem && { problem }),
  })

const initial: Given = {
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
    title: 'Your endpoint is ready',
    lead: 'Copy its secret now: it is not shown again.',
  })
}

const editForm = (call: MemberCall, given: Given, problem?: Problem) =>
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
  return { redirect: call.pathOf('webhook', call.names) }
}

export const idOf = ({ names }: MemberCall) => ({ id: names['id'] ?? '' })

/** A page of an endpoint that cannot be shown. */
export const missingOr = (call: MemberCall, problem: Problem) =>
  problem.code === 'not_found'
    ? missing('There is no such endpoint', call.pathOf('webhooks'), 'All endpoints')
    : refused(call, 'Endpoint', problem)
