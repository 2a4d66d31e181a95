// Signing up. The answer is the same whether the address has an account or not; the email says so.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { requestSignUp } from '../../accounts/sign-ups.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { characters, emailFault, nameFault } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'
import { retryHeaders, tooMany } from '../steps.ts'

type SignUpForm = {
  readonly email?: string
  readonly name?: string
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly faults?: { readonly email: string | undefined; readonly name: string | undefined }
}

const signUpPage = (call: AnyCall, given: SignUpForm = {}): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  content: (
    <>
      <h1>Create an account</h1>
      <p class="lead">
        It comes with an integration and a sandbox with invented patients, at no charge.
      </p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path="/sign-up">
        <Field
          name="email"
          label="Work email"
          type="email"
          value={given.email ?? ''}
          autocomplete="email"
          hint="We send a link to it, which you open to choose a password."
          fault={given.faults?.email}
          focus
          input={{ maxLength: characters.email, autocapitalize: 'none', spellcheck: false }}
        />
        <Field
          name="name"
          label="Your name"
          value={given.name ?? ''}
          autocomplete="name"
          fault={given.faults?.name}
          input={{ maxLength: characters.name }}
        />
        <Actions>
          <Submit>Continue</Submit>
        </Actions>
      </RowForm>
      <p class="fine">
        You have an account? <a href="/sign-in">Sign in</a>.
      </p>
    </>
  ),
})

export const showSignUp: OpenHandler = (_context, call) =>
  call.session === null ? signUpPage(call) : { redirect: '/' }

export const signUp: OpenHandler = async (context, call) => {
  const { form } = call
  const { address } = call.request
  const email = (form.get('email') ?? '').trim()
  const name = (form.get('name') ?? '').trim()
  const faults = { email: emailFault(email), name: nameFault(name) }
  if (faults.email !== undefined || faults.name !== undefined) {
    return signUpPage(call, { email, name, faults, status: 422 })
  }
  const retrySeconds = await tooManyEmails(context, networkOf(address))
  if (retrySeconds !== 0) {
    const alert = tooMany(retrySeconds)
    return signUpPage(call, { email, name, alert, status: 429, retrySeconds })
  }
  await requestSignUp(context.pool, { email, name }, ownActOf(call))
  context.emailed()
  return emailSentPage(context, email)
}

/** Counts an email that a network asks for; the seconds to wait when it is one too many. */
async function tooManyEmails({ failedAttempts }: PageContext, network: string): Promise<number> {
  const retrySeconds = await failedAttempts.fullSeconds('email_network', network)
  if (retrySeconds === 0) await failedAttempts.count('email_network', network)
  return retrySeconds
}

export const emailSentPage = (context: PageContext, email: string): PageAnswer => ({
  title: 'Look into your mail',
  content: (
    <>
      <h1>Look into your mail</h1>
      <p class="lead">
        We sent an email to <strong class="address">{email}</strong>. It says how to go on.
      </p>
      {context.mailUrl === null ? (
        <p>
          If there is none after a few minutes, look among the unwanted mail. You can close this
          page.
        </p>
      ) : (
        <p>
          This server has no mail server: its emails are at <a href={context.mailUrl}>/dev/mail</a>.
        </p>
      )}
    </>
  ),
})
