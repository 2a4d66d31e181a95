// Changing the password, which ends every other session.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/rate-limiter.ts'
import { changePassword } from '../../accounts/own-account.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { characters } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import { type PageAnswer, redirect } from '../page.ts'
import { Actions, Form, Submit } from '../parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'
import { freshBefore, ownActOf, ownPage } from './own-page.tsx'

const path = '/password'

type Given = {
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly current?: string
  readonly password?: string
}

const passwordPage = (context: PageContext, call: PageCall, given: Given = {}): PageAnswer =>
  ownPage(context, call, {
    title: 'Change your password',
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    content: (
      <>
        <h1>Change your password</h1>
        <p class="lead">Your other sessions end. Agents and devices keep their access.</p>
        {given.alert !== undefined && <Alert>{given.alert}</Alert>}
        <Form call={call} action={path}>
          <Field
            name="current"
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
        </Form>
      </>
    ),
  })

export const showPassword: PageHandler = async (context, call) => {
  const before = await freshBefore(context, call, path)
  return before === null ? passwordPage(context, call) : redirect(before)
}

export const setPassword: PageHandler = async (context, call) => {
  const before = await freshBefore(context, call, path)
  const { session, request } = call
  if (before !== null || session === null) return redirect(before ?? '/sign-in')
  const { id, email, name } = session.person
  const password = request.form.get('password') ?? ''
  const fault = await newPasswordFault(context, password, [email, name])
  if (fault !== undefined) return passwordPage(context, call, { password: fault, status: 422 })
  const subject = `password of ${id} ${networkOf(request.address)}`
  const retrySeconds = await context.failedAttempts.begin('sign_in', subject)
  if (retrySeconds > 0) {
    return passwordPage(context, call, { alert: tooMany(retrySeconds), status: 429, retrySeconds })
  }
  const current = request.form.get('current') ?? ''
  const change = { person: id, current, password, session: session.id }
  const refusal = await changePassword(context.pool, change, ownActOf(call))
  if (refusal !== null) {
    const current = 'Current password must be the one that you sign in with.'
    return passwordPage(context, call, { current, status: 403 })
  }
  await context.failedAttempts.succeeded('sign_in', subject, true)
  context.emailed()
  return redirect('/account')
}
