// The page behind a sign-up link: opening it verifies the address, and the person chooses a
// password. Programs that open links to check them send no form, so these programs don't use the
// link up.
import { Field, Hidden } from '#http/html/fields.tsx'
import {
  changeEmail,
  completeSignUp,
  findSignUp,
  type OpenSignUp,
} from '../../accounts/sign-ups.ts'
import { browserNameOf } from '../browser-name.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { sessionCookie } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { linkEnded } from '../link-ended.ts'
import { returningTo } from '../steps.ts'
import { ownActOf } from '../audit.ts'

/** Also for a link that confirms a new email. */
const ended = linkEnded(
  'If you were signing up, sign in or sign up again. If you were changing your email, sign in and request a new link under Your account.',
)

type PasswordForm = { readonly token: string; readonly asked: OpenSignUp; readonly fault?: string }

const passwordPage = (call: AnyCall, { token, asked, fault }: PasswordForm): PageAnswer => ({
  status: fault === undefined ? 200 : 422,
  scripts: true,
  content: (
    <>
      <h1>Choose a password</h1>
      <p class="lead">
        Your email is confirmed. Next, you’ll add an authenticator app or a passkey.
      </p>
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
          <Submit>Create account</Submit>
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
  if (asked === null) return ended
  return asked.company === null
    ? newEmailPage(call, token, asked)
    : passwordPage(call, { token, asked })
}

export const verifyEmail: OpenHandler = async (context, call) => {
  const { form } = call
  const token = form.get('token') ?? ''
  const id = idIn(context, token)
  const asked = id === null ? null : await findSignUp(context.pool, id)
  if (id === null || asked === null) return ended
  if (asked.company === null) return confirmNewEmail(context, call, id, asked)
  const password = form.get('password') ?? ''
  const fault = await newPasswordFault(context, password, [asked.email, asked.name, asked.company])
  if (fault !== undefined) return passwordPage(call, { token, asked, fault })
  const person = await completeSignUp(context.pool, { id, password }, ownActOf(call))
  return person === null ? ended : beginSession(context, call, person)
}

const newEmailPage = (call: AnyCall, token: string, { email }: OpenSignUp): PageAnswer => ({
  title: 'Confirm your new email',
  content: (
    <>
      <h1>Confirm your new email</h1>
      <p class="lead">
        From now on you’ll sign in with <strong class="address">{email}</strong>.
      </p>
      <RowForm call={call} path="/verify-email">
        <Hidden name="token" value={token} />
        <Actions>
          <Submit>Confirm</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

async function confirmNewEmail(
  context: PageContext,
  call: AnyCall,
  id: string,
  { email }: OpenSignUp,
): Promise<PageAnswer> {
  if ((await changeEmail(context.pool, id, ownActOf(call))) !== null) return ended
  context.emailed()
  return {
    title: 'Email changed',
    content: (
      <>
        <h1>Email changed</h1>
        <p class="lead">
          You now sign in with <strong class="address">{email}</strong>.
        </p>
        <p class="actions">
          <a class="button" href="/account">
            Your account
          </a>
        </p>
      </>
    ),
  }
}

/** Signs a new person in, and continues to their second factor, then to `next`. */
export async function beginSession(
  context: PageContext,
  call: AnyCall,
  person: string,
  next = '/',
): Promise<PageAnswer> {
  const name = browserNameOf(call.agent)
  const session = await context.sessions.begin(person, call.token, { name })
  return {
    redirect: returningTo('/second-factor', next),
    cookies: [sessionCookie(context, session.token)],
  }
}
