// Asking for a link to recover an account. The answer is the same for every address. Emails are
// limited for each account alone (auth.request_recovery), so that no neighbor uses up the limit.
import { Field } from '#http/html/fields.tsx'
import { requestRecovery } from '../../accounts/recoveries.ts'
import type { AnyCall, OpenHandler } from '../context.ts'
import { characters, emailFault } from '../forms.ts'
import { emailSentPage } from '../joining/sign-up.tsx'
import { ownActOf } from '../audit.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'

const path = '/recover'

type Given = {
  readonly email?: string
  readonly status?: number
  readonly fault?: string
}

const requestPage = (call: AnyCall, given: Given = {}): PageAnswer => ({
  status: given.status ?? 200,
  content: (
    <>
      <h1>Recover your account</h1>
      <p class="lead">
        We send a link to your address. With your authenticator app or a recovery code you set a new
        password at once; without, after 24 hours.
      </p>
      <RowForm call={call} path={path}>
        <Field
          name="email"
          label="Email"
          type="email"
          value={given.email ?? ''}
          autocomplete="username"
          fault={given.fault}
          focus
          input={{ maxLength: characters.email, autocapitalize: 'none', spellcheck: false }}
        />
        <Actions>
          <Submit>Send the link</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

export const showRecover: OpenHandler = (_context, call) => requestPage(call)

export const recover: OpenHandler = async (context, call) => {
  const email = (call.form.get('email') ?? '').trim()
  const fault = emailFault(email)
  if (fault !== undefined) return requestPage(call, { email, fault, status: 422 })
  await requestRecovery(context.pool, email, ownActOf(call))
  context.emailed()
  return emailSentPage(context, email)
}
