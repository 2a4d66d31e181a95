// Signing up. The response is the same for addresses with and without an account. Only the email
// differs.
import { Alert, Field } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { requestSignUp } from '../../accounts/sign-ups.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { emailSentPage } from '../email-sent.tsx'
import { characters, companyFault, emailFault, nameFault } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, EmailField, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'
import { retryHeaders, tooMany } from '../steps.ts'

const path = '/sign-up'

type Fields = { readonly email: string; readonly name: string; readonly company: string }

type SignUpForm = Partial<Fields> & {
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly faults?: Readonly<Record<keyof Fields, string | undefined>>
}

const signUpPage = (call: AnyCall, given: SignUpForm = {}): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  content: (
    <>
      <h1>Create your account</h1>
      <p class="lead">Includes a free sandbox with synthetic patients.</p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={path}>
        <EmailField
          label="Work email"
          value={given.email ?? ''}
          autocomplete="email"
          fault={given.faults?.email}
          focus
        />
        <Field
          name="name"
          label="Your name"
          value={given.name ?? ''}
          autocomplete="name"
          fault={given.faults?.name}
          input={{ maxLength: characters.name }}
        />
        <Field
          name="company"
          label="Company or brand"
          value={given.company ?? ''}
          autocomplete="organization"
          hint="Clinics see this name when you ask for access. You can change it later."
          fault={given.faults?.company}
          input={{ maxLength: characters.name }}
        />
        <Actions>
          <Submit>Continue</Submit>
        </Actions>
      </RowForm>
      <p class="fine">
        Already have an account? <a href="/account">Sign in</a>
      </p>
    </>
  ),
})

export const showSignUp: OpenHandler = (context, call) =>
  call.session === null ? signUpPage(call) : { redirect: context.handoffUrls.portal ?? '/' }

export const signUp: OpenHandler = async (context, call) => {
  const { form } = call
  const textOf = (name: keyof Fields) => (form.get(name) ?? '').trim()
  const fields = { email: textOf('email'), name: textOf('name'), company: textOf('company') }
  if (form.has('edit')) return signUpPage(call, fields)
  const faults = {
    email: emailFault(fields.email),
    name: nameFault(fields.name),
    company: companyFault(fields.company),
  }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return signUpPage(call, { ...fields, faults, status: 422 })
  }
  const retrySeconds = await tooManyEmails(context, networkOf(call.request.address))
  if (retrySeconds !== 0) {
    const alert = tooMany(retrySeconds)
    return signUpPage(call, { ...fields, alert, status: 429, retrySeconds })
  }
  await requestSignUp(context.pool, fields, ownActOf(call))
  context.emailed()
  const { email } = fields
  return emailSentPage(context, call, { email, purpose: 'finish signing up', path, fields })
}

/** Counts an email requested from a network below its limit. Returns the seconds to wait, or 0. */
async function tooManyEmails({ failedAttempts }: PageContext, network: string): Promise<number> {
  const retrySeconds = await failedAttempts.fullSeconds('email_network', network)
  if (retrySeconds === 0) await failedAttempts.count('email_network', network)
  return retrySeconds
}
