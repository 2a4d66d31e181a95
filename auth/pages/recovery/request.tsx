// Asking for a link to recover an account. The answer is the same for every address.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { requestRecovery } from '../../accounts/recoveries.ts'
import type { AnyCall, OpenHandler } from '../context.ts'
import { characters, emailFault } from '../forms.ts'
import { emailSentPage, tooManyEmails } from '../joining/sign-up.tsx'
import { ownActOf } from '../audit.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'

const path = '/recover'

type Given = {
  readonly email?: string
  readonly status?: number
  readonly fault?: string
  readonly alert?: string
  readonly retrySeconds?: number
}

const requestPage = (call: AnyCall, given: Given = {}): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  content: (
    <>
      <h1>Recover your account</h1>
      <p class="lead">
        We send a link to your address. With your authenticator app or a recovery code you set a new
        password at once; without, after 24 hours.
      </p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
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
  const retrySeconds = await tooManyEmails(context, networkOf(call.request.address))
  if (retrySeconds > 0) {
    const alert = tooMany(retrySeconds)
    return requestPage(call, { email, alert, status: 429, retrySeconds })
  }
  await requestRecovery(context.pool, email, ownActOf(call))
  context.emailed()
  return emailSentPage(context, email)
}
