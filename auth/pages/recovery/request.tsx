// Asking for a link to recover an account. The answer is the same for every address.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/rate-limiter.ts'
import { requestRecovery } from '../../accounts/recoveries.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { characters, emailFault } from '../forms.ts'
import { emailSentPage, tooManyEmails } from '../joining/sign-up.tsx'
import { ownActOf, ownPage } from '../own/own-page.tsx'
import type { PageAnswer } from '../page.ts'
import { Actions, Form, Submit } from '../parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'

const path = '/recover'

type Given = {
  readonly email?: string
  readonly status?: number
  readonly fault?: string
  readonly alert?: string
  readonly retrySeconds?: number
}

const requestPage = (context: PageContext, call: PageCall, given: Given = {}): PageAnswer =>
  ownPage(context, call, {
    title: 'Recover your account',
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    content: (
      <>
        <h1>Recover your account</h1>
        <p class="lead">
          We send a link to your address. With your authenticator app or a recovery code you set a
          new password at once; without, after 24 hours.
        </p>
        {given.alert !== undefined && <Alert>{given.alert}</Alert>}
        <Form call={call} action={path}>
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
        </Form>
      </>
    ),
  })

export const showRecover: PageHandler = (context, call) => requestPage(context, call)

export const recover: PageHandler = async (context, call) => {
  const email = (call.request.form.get('email') ?? '').trim()
  const fault = emailFault(email)
  if (fault !== undefined) return requestPage(context, call, { email, fault, status: 422 })
  const retrySeconds = await tooManyEmails(context, networkOf(call.request.address))
  if (retrySeconds > 0) {
    const alert = tooMany(retrySeconds)
    return requestPage(context, call, { email, alert, status: 429, retrySeconds })
  }
  await requestRecovery(context.pool, email, ownActOf(call))
  context.emailed()
  return emailSentPage(context, call, email)
}
