// A recovery's first step: a form that requests a link. The response is the same for addresses with
// and without an account.
import { requestRecovery } from '../../accounts/recoveries.ts'
import type { AnyCall, OpenHandler } from '../context.ts'
import { emailSentPage } from '../email-sent.tsx'
import { emailFault } from '../forms.ts'
import { ownActOf } from '../audit.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, EmailField, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'

const path = '/recover'

type RecoveryForm = {
  readonly email?: string
  readonly status?: number
  readonly fault?: string
}

const requestPage = (call: AnyCall, given: RecoveryForm = {}): PageAnswer => ({
  status: given.status ?? 200,
  content: (
    <>
      <h1>Recover your account</h1>
      <p class="lead">
        Enter your email and we’ll send you a link. With your authenticator app or a recovery code
        you can set a new password right away. Without them, you have to wait 24 hours.
      </p>
      <RowForm call={call} path={path}>
        <EmailField
          label="Email"
          value={given.email ?? ''}
          autocomplete="username"
          fault={given.fault}
          focus
        />
        <Actions>
          <Submit>Send link</Submit>
          <a class="button second" href="/account">
            Back to sign-in
          </a>
        </Actions>
      </RowForm>
    </>
  ),
})

export const showRecover: OpenHandler = (_context, call) => requestPage(call)

export const recover: OpenHandler = async (context, call) => {
  const email = (call.form.get('email') ?? '').trim()
  if (call.form.has('edit')) return requestPage(call, { email })
  const fault = emailFault(email)
  if (fault !== undefined) return requestPage(call, { email, fault, status: 422 })
  await requestRecovery(context.pool, email, ownActOf(call))
  context.emailed()
  const purpose = 'recover your account'
  const sent = { email, purpose, path, fields: { email }, needsAccount: true }
  return emailSentPage(context, call, sent)
}
