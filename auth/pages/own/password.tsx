// Changes the password and ends every other session.
import { Alert } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { changePassword } from '../../accounts/own-account.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, CancelLink, PasswordField, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'
import { ownActOf } from '../audit.ts'

const path = '/password'

type PasswordForm = {
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly current?: string
  readonly password?: string
}

const passwordPage = (call: PageCall, given: PasswordForm = {}): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  scripts: true,
  content: (
    <>
      <h1>Change your password</h1>
      <p class="lead">This signs you out everywhere else. Agents and devices keep their access.</p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={path}>
        <PasswordField name="current" label="Current password" fault={given.current} focus />
        <NewPassword fault={given.password} />
        <Actions>
          <Submit>Change password</Submit>
          <CancelLink />
        </Actions>
      </RowForm>
    </>
  ),
})

export const showPassword: PageHandler = (_context, call) => passwordPage(call)

export const setPassword: PageHandler = async (context, call) => {
  const { form, session, request } = call
  const { id, email, name } = session.person
  const password = form.get('password') ?? ''
  const fault = await newPasswordFault(context, password, [email, name])
  if (fault !== undefined) return passwordPage(call, { password: fault, status: 422 })
  const subject = `password of ${id} ${networkOf(request.address)}`
  const retrySeconds = await context.failedAttempts.begin('sign_in', subject)
  if (retrySeconds > 0) {
    return passwordPage(call, { alert: tooMany(retrySeconds), status: 429, retrySeconds })
  }
  const current = form.get('current') ?? ''
  const change = { person: id, current, password, session: session.id }
  const refusal = await changePassword(context.pool, change, ownActOf(call))
  if (refusal !== null) {
    const current = 'Incorrect password.'
    return passwordPage(call, { current, status: 403 })
  }
  await context.failedAttempts.succeeded('sign_in', subject, true)
  context.emailed()
  return { redirect: '/account', toast: { text: 'Password changed' } }
}
