// The form that requests access from a clinic.
import { isId, prefixes } from '#contract/ids.ts'
import { allScopes, isScope } from '#contract/scopes.ts'
import { requestGrant } from '#auth/grants/grants.ts'
import { Alert, Fault, Field, TextArea } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { textOf } from '#http/html/form-text.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { ScopeChoice } from '#http/html/scope-parts.tsx'
import { refusalText } from '../../refusals.ts'

type GrantRequestForm = {
  readonly organization?: string
  readonly scopes?: readonly string[]
  readonly note?: string
  readonly faults?: Partial<Record<'organization' | 'scope' | 'note', string | undefined>>
  readonly alert?: string
  readonly status?: number
}

/** The sandbox's scope has no use in live mode. */
const offered = allScopes.filter(scope => scope !== 'test:manage')

const title = 'Request access to a clinic'

/** Test mode already has a clinic. */
const isSandbox = ({ mode }: MemberCall) => mode === 'test'

const notInTestMode = ({ pathOf }: MemberCall, status = 200) => ({
  title,
  status,
  content: (
    <>
      <Heading
        title={title}
        lead="Clinics are available only in live mode. Your sandbox comes with its own."
      />
      <p class="actions">
        <a class="button" href={pathOf('newGrantRequest', { mode: 'live' })}>
          Request access in live mode
        </a>
      </p>
    </>
  ),
})

const requestForm = (call: MemberCall, given: GrantRequestForm) => ({
  title,
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title={title}
        lead="The clinic sees your name, the scopes and your note, and can approve some or all of the scopes."
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('requestGrant')} class="stack">
        <Field
          name="organization"
          label="Clinic ID"
          hint="Ask the clinic for its ID. It starts with org_."
          value={given.organization ?? ''}
          fault={given.faults?.organization}
          focus
          input={{ maxlength: 64, spellcheck: false, autocapitalize: 'none' }}
        />
        <fieldset>
          <legend>Scopes</legend>
          <p class="hint">Request only what you need. Clinics approve short lists faster.</p>
          <Fault name="scope" fault={given.faults?.scope} />
          <ScopeChoice offered={offered} chosen={given.scopes ?? ['organization:read']} />
        </fieldset>
        <TextArea
          name="note"
          label="Note to the clinic"
          isOptional
          hint="What you’re building and why you need these scopes. Don’t name patients."
          value={given.note ?? ''}
          fault={given.faults?.note}
        />
        <div class="actions">
          <button class="button">Send request</button>
          <a class="button second" href={call.pathOf('organizations')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const valuesOf = (form: URLSearchParams) => ({
  organization: (form.get('organization') ?? '').trim(),
  scopes: form.getAll('scope').filter(isScope),
  note: textOf(form, 'note', 1000),
})

/** The form, with the values of a form that was kept. */
const openForm = (call: MemberCall) => {
  if (call.row !== 'requestGrant') return requestForm(call, {})
  const values = valuesOf(call.form)
  return requestForm(call, { ...values, note: values.note.value })
}

const request: PortalHandler = async ({ pool }, call) => {
  if (isSandbox(call)) return notInTestMode(call, 409)
  const { form, member, act } = call
  const { organization, scopes, note } = valuesOf(form)
  const faults = {
    organization: isId(prefixes.organization, organization)
      ? undefined
      : 'Enter the clinic’s full ID, such as org_01m8….',
    scope: scopes.length === 0 ? 'Choose at least one scope.' : undefined,
    note: note.fault,
  }
  const given = { organization, scopes, note: note.value, faults }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return requestForm(call, { ...given, status: 422 })
  }
  const asked = { integration: member.integration, organization, scopes, note: note.value }
  const { refusal } = await pool.use(connection => requestGrant(connection, asked, act))
  if (refusal === null) {
    return { redirect: call.pathOf('organizations'), toast: { text: 'Request sent' } }
  }
  if (refusal === 'unknown_organization') {
    const named = { ...faults, organization: refusalText(refusal) }
    return requestForm(call, { ...given, faults: named, status: 409 })
  }
  return requestForm(call, { ...given, alert: refusalText(refusal), status: 409 })
}

export const grantRequestHandlers = {
  newGrantRequest: (_portal, call) => (isSandbox(call) ? notInTestMode(call) : openForm(call)),
  requestGrant: request,
} satisfies Record<string, PortalHandler>
