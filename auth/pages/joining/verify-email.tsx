// Behind the link of a sign-up: the address is verified by opening it, and a password is chosen. A
// program that opens links to check them sends no form, so it uses none up.
import { Field, Hidden } from '#http/html/fields.tsx'
import { completeSignUp, findSignUp, type OpenSignUp } from '../../accounts/sign-ups.ts'
import { browserNameOf } from '../browser-name.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { sessionCookie } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

export const linkEnded: PageAnswer = {
  failure: {
    status: 404,
    title: 'This link works no longer',
    text: 'It was used, or it has expired. If you signed up with it, sign in.',
    next: { href: '/sign-in', label: 'Sign in' },
  },
}

type Given = { readonly token: string; readonly asked: OpenSignUp; readonly fault?: string }

const passwordPage = (call: AnyCall, { token, asked, fault }: Given): PageAnswer => ({
  status: fault === undefined ? 200 : 422,
  content: (
    <>
      <h1>Choose a password</h1>
      <p class="lead">Your address is confirmed. After this step you add an authenticator app.</p>
      <RowForm call={call} path="/verify-email">
        <Hidden name="token" value={token} />
        <Field
          name="email"
          label="Email"
          type="email"
          value={asked.email}
          autocomplete="username"
          input={{ readOnly: true }}
        />
        <NewPassword fault={fault} focus />
        <Actions>
          <Submit>Create the account</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

const idIn = ({ links }: PageContext, token: string) => links.read('sign_up', token)

export const showVerifyEmail: OpenHandler = async (context, call) => {
  const token = call.query.get('token') ?? ''
  const id = idIn(context, token)
  const asked = id === null ? null : await findSignUp(context.pool, id)
  return asked === null ? linkEnded : passwordPage(call, { token, asked })
}

export const verifyEmail: OpenHandler = async (context, call) => {
  const { form } = call
  const token = form.get('token') ?? ''
  const id = idIn(context, token)
  const asked = id === null ? null : await findSignUp(context.pool, id)
  if (id === null || asked === null) return linkEnded
  const password = form.get('password') ?? ''
  const fault = await newPasswordFault(context, password, [asked.email, asked.name])
  if (fault !== undefined) return passwordPage(call, { token, asked, fault })
  const person = await completeSignUp(context.pool, { id, password }, ownActOf(call))
  return person === null ? linkEnded : beginSession(context, call, person)
}

/** Signs a new person in, and leads to their second factor. */
export async function beginSession(
  context: PageContext,
  call: AnyCall,
  person: string,
): Promise<PageAnswer> {
  const name = browserNameOf(call.agent)
  const session = await context.sessions.begin(person, call.token, { name })
  return { redirect: '/second-factor', cookies: [sessionCookie(context, session.token)] }
}
