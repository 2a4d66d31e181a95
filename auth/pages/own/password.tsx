// Changing the password, which ends every other session.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { changePassword } from '../../accounts/own-account.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { characters } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'
import { ownActOf } from '../audit.ts'

const path = '/password'

type Given = {
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly current?: string
  readonly password?: string
}

const passwordPage = (call: PageCall, given: Given = {}): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  content: (
    <>
      <h1>Change your password</h1>
      <p class="lead">Your other sessions end. Agents and devices keep their access.</p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={path}>
        <Field
          name="current"
          value={null}
          label="Current password"
          type="password"
          autocomplete="current-password"
          fault={given.current}
          focus
          input={{ maxLength: characters.password }}
        />
        <NewPassword fault={given.password} />
        <Actions>
          <Submit>Change it</Submit>
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
    const current = 'Current password must be the one that you sign in with.'
    return passwordPage(call, { current, status: 403 })
  }
  await context.failedAttempts.succeeded('sign_in', subject, true)
  context.emailed()
  return { redirect: '/account' }
}
