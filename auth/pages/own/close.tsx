// Closing an account, for good.
import { Alert, Field } from '#http/html/fields.tsx'
import { closeAccount } from '../../accounts/own-account.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { sessionCookie } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

const path = '/account/close'

type Given = { readonly alert?: string; readonly fault?: string }

const closePage = (call: PageCall, { alert, fault }: Given = {}): PageAnswer => ({
  status: alert === undefined && fault === undefined ? 200 : 422,
  content: (
    <>
      <h1>Close your account</h1>
      <p class="lead">
        Your sessions, agents and devices end, and you leave every integration. An integration that
        has no other member is suspended: its keys work no longer. This cannot be undone.
      </p>
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={path}>
        <Field
          name="email"
          label="Your email, to confirm"
          type="email"
          value={call.form.get('email') ?? ''}
          autocomplete="off"
          fault={fault}
          focus
        />
        <Actions>
          <Submit class="button danger">Close the account</Submit>
          <a class="button second" href="/account">
            Keep it
          </a>
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
    return closePage(call, { fault: `Email must be ${email}.` })
  }
  const refusal = await closeAccount(context.pool, id, ownActOf(call))
  if (refusal !== null) {
    const alert =
      refusal === 'last_admin'
        ? "You're the only administrator of a clinic. Give another person on its staff that role first."
        : "You're the only owner of an integration with other members. Make one of them an owner first."
    return closePage(call, { alert })
  }
  context.emailed()
  return {
    title: 'Your account is closed',
    bar: 'empty',
    cookies: [sessionCookie(context, null)],
    content: (
      <>
        <h1>Your account is closed</h1>
        <p class="lead">We keep the audit log, in which you are a number without a name.</p>
      </>
    ),
  }
}
