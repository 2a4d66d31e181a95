// Creates an account, which may be the person's first.
import { createIntegration } from '#auth/accounts/members.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { RowForm } from '#http/html/parts.tsx'
import type { Page } from '#http/pages/answer.tsx'
import { actOf } from './call.ts'
import type { PortalHandlers, SignedInCall } from './context.ts'
import { refusalText } from './refusals.ts'

type FormState = {
  readonly name?: string
  readonly fault?: string | undefined
  readonly alert?: string
  readonly status?: number
}

const show = (
  call: SignedInCall,
  { name = '', fault, alert, status = 200 }: FormState = {},
): Page => ({
  status,
  content: (
    <>
      <h1>New account</h1>
      <p class="lead">
        An account has its own keys, webhooks and members, and a free sandbox with synthetic
        patients.
      </p>
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={call.pathOf('createIntegration')} class="stack">
        <Field
          name="name"
          label="Name"
          hint="Your company or brand. You can change it later."
          value={name}
          fault={fault}
          focus
          input={{ maxlength: 200 }}
        />
        <div class="actions">
          <button class="button">Create account</button>
          <a class="button second" href="/?all">
            Your accounts
          </a>
        </div>
      </RowForm>
      <p class="fine">
        To join an existing account, ask an owner to invite {call.session.person.email}.
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
      return {
        redirect: call.pathOf('home', { integration, mode: 'test' }),
        toast: { text: 'Account created' },
      }
    }
    if (made.refusal === 'already_sent') return { redirect: '/?all' }
    return show(call, { name, alert: refusalText(made.refusal), status: 409 })
  },
} satisfies Partial<PortalHandlers>
