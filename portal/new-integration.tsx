// A person makes an integration of their own, the first one or another.
import { createIntegration } from '#auth/accounts/members.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { RowForm } from '#http/html/parts.tsx'
import type { Page } from '#http/pages/answer.tsx'
import { actOf } from './call.ts'
import type { PortalHandlers, SignedInCall } from './context.ts'
import { refusalText } from './refusals.ts'

type Given = {
  readonly name?: string
  readonly fault?: string | undefined
  readonly alert?: string
  readonly status?: number
}

const show = (call: SignedInCall, { name = '', fault, alert, status = 200 }: Given = {}): Page => ({
  status,
  content: (
    <>
      <h1>New integration</h1>
      <p class="lead">
        An integration is what calls the API: it has keys, webhooks and members of its own, and a
        sandbox with invented patients at once.
      </p>
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={call.pathOf('createIntegration')} class="stack">
        <Field
          name="name"
          label="Name"
          hint="Of your brand or product. You can change it."
          value={name}
          fault={fault}
          focus
          input={{ maxlength: 200 }}
        />
        <div class="actions">
          <button class="button">Make the integration</button>
          <a class="button second" href="/?all">
            Your integrations
          </a>
        </div>
      </RowForm>
      <p class="fine">
        To work on an integration of others, ask one of its owners to invite{' '}
        {call.session.person.email}.
      </p>
    </>
  ),
})

export const newIntegrationHandlers = {
  newIntegration: (_portal, call) => show(call),
  async createIntegration({ pool }, call) {
    const { value: name, fault } = lineOf(call.form, 'name', 'Name')
    if (fault !== undefined) return show(call, { name, fault, status: 422 })
    const act = { ...actOf(call), once: call.form.get('once') }
    const made = await pool.use(connection =>
      createIntegration(connection, { name, owner: call.session.person.id }, act),
    )
    if (made.refusal === null) {
      const { integration } = made
      return { redirect: call.pathOf('home', { integration, mode: 'test' }) }
    }
    if (made.refusal === 'already_sent') return { redirect: '/?all' }
    return show(call, { name, alert: refusalText(made.refusal), status: 409 })
  },
} satisfies Partial<PortalHandlers>
