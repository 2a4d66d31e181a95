// Closes an account permanently.
import { Alert, Field } from '#http/html/fields.tsx'
import { closeAccount } from '../../accounts/own-account.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { sessionCookie } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, CancelLink, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

const path = '/account/close'

type CloseForm = { readonly alert?: string; readonly fault?: string }

const closePage = (call: PageCall, { alert, fault }: CloseForm = {}): PageAnswer => ({
  status: alert === undefined && fault === undefined ? 200 : 422,
  content: (
    <>
      <h1>Close your account</h1>
      <p class="lead">
        You’ll be signed out everywhere, lose your agents and devices, and leave every team and
        clinic. If you’re a team’s only member, its account closes: keys stop working, and clinics’
        grants and your agreement end. You can’t undo this.
      </p>
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={path}>
        <Field
          name="email"
          label="Type your email to confirm"
          type="email"
          value={call.form.get('email') ?? ''}
          autocomplete="off"
          fault={fault}
          focus
        />
        <Actions>
          <Submit class="button danger">Close account</Submit>
          <CancelLink />
        </Actions>
      </RowForm>
    </>
  ),
})

export const showClose: PageHandler = (_context, call) => closePage(call)

export const close: PageHandler = async (context, call) => {
  const { id, email } = call.session.person
  const given = (call.form.get('email') ?? '').trim()
  if (given.toLowerCase() !== email.toLowerCase()) {
    return closePage(call, { fault: `Enter ${email}.` })
  }
  const refusal = await closeAccount(context.pool, id, ownActOf(call))
  if (refusal !== null) {
    const alert =
      refusal === 'last_admin'
        ? 'You’re a clinic’s only administrator. Give another staff member that role first.'
        : 'You’re the only owner of a team with other members. Make one of them an owner first.'
    return closePage(call, { alert })
  }
  context.emailed()
  return {
    title: 'Account closed',
    bar: 'empty',
    cookies: [sessionCookie(context, null)],
    content: (
      <>
        <h1>Account closed</h1>
        <p class="lead">
          You’re signed out everywhere, and we emailed you a confirmation. In the audit log, you now
          appear only as an ID.
        </p>
      </>
    ),
  }
}
