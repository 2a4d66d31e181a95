// Closing an account, for good.
import { Alert, Field } from '#http/html/fields.tsx'
import { closeAccount } from '../../accounts/own-account.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { setCookie } from '../forms.ts'
import { page, type PageAnswer, redirect } from '../page.ts'
import { Actions, Form, Submit } from '../parts.tsx'
import { freshBefore, ownActOf, ownPage } from './own-page.tsx'

const path = '/account/close'

type Given = { readonly alert?: string; readonly fault?: string }

const closePage = (
  context: PageContext,
  call: PageCall,
  { alert, fault }: Given = {},
): PageAnswer =>
  ownPage(context, call, {
    title: 'Close your account',
    status: alert === undefined && fault === undefined ? 200 : 422,
    content: (
      <>
        <h1>Close your account</h1>
        <p class="lead">
          Your sessions, agents and devices end, and you leave every integration. An integration
          that has no other member is suspended: its keys work no longer. This cannot be undone.
        </p>
        {alert !== undefined && <Alert>{alert}</Alert>}
        <Form call={call} action={path}>
          <Field
            name="email"
            label="Your email, to confirm"
            type="email"
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
        </Form>
      </>
    ),
  })

export const showClose: PageHandler = async (context, call) => {
  const before = await freshBefore(context, call, path)
  return before === null ? closePage(context, call) : redirect(before)
}

export const close: PageHandler = async (context, call) => {
  const before = await freshBefore(context, call, path)
  if (before !== null || call.session === null) return redirect(before ?? '/sign-in')
  const { id, email } = call.session.person
  const given = (call.request.form.get('email') ?? '').trim()
  if (given.toLowerCase() !== email.toLowerCase()) {
    return closePage(context, call, { fault: `Email must be ${email}.` })
  }
  const refusal = await closeAccount(context.pool, id, ownActOf(call))
  if (refusal !== null) {
    const alert =
      'You are the only owner of an integration that has other members. Make one of them an owner first.'
    return closePage(context, call, { alert })
  }
  context.emailed()
  return page(context.site, {
    title: 'Your account is closed',
    cookies: [setCookie(context, 'session', null)],
    content: (
      <>
        <h1>Your account is closed</h1>
        <p class="lead">We keep the audit log, in which you are a number without a name.</p>
      </>
    ),
  })
}
