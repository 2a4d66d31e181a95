// Changes a person's own name and email. A new address takes effect once the link sent to it is
// opened.
import { Field } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { renamePerson } from '../../accounts/own-account.ts'
import { requestNewEmail } from '../../accounts/sign-ups.ts'
import { ownActOf } from '../audit.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { emailSentPage } from '../email-sent.tsx'
import { characters, emailFault, nameFault } from '../forms.ts'
import { Actions, CancelLink, EmailField, Submit } from '../parts.tsx'

const Buttons = ({ label }: { label: string }) => (
  <Actions>
    <Submit>{label}</Submit>
    <CancelLink />
  </Actions>
)

const namePage = (call: PageCall, name: string, fault?: string): PageAnswer => ({
  status: fault === undefined ? 200 : 422,
  content: (
    <>
      <h1>Change your name</h1>
      <p class="lead">Teammates and clinics see this name next to your activity.</p>
      <RowForm call={call} path="/account/name">
        <Field
          name="name"
          label="Your name"
          value={name}
          autocomplete="name"
          fault={fault}
          focus
          input={{ maxLength: characters.name }}
        />
        <Buttons label="Save" />
      </RowForm>
    </>
  ),
})

export const showName: PageHandler = (_context, call) => namePage(call, call.session.person.name)

export const setName: PageHandler = async (context, call) => {
  const name = (call.form.get('name') ?? '').trim()
  const fault = nameFault(name)
  if (fault !== undefined) return namePage(call, name, fault)
  await renamePerson(context.pool, { person: call.session.person.id, name }, ownActOf(call))
  return { redirect: '/account', toast: { text: 'Name changed' } }
}

const emailPath = '/account/email'

type EmailForm = { readonly email: string; readonly fault?: string | undefined }

const emailPage = (call: PageCall, { email, fault }: EmailForm): PageAnswer => ({
  status: fault === undefined ? 200 : 422,
  content: (
    <>
      <h1>Change your email</h1>
      <p class="lead">
        You sign in with <strong class="address">{call.session.person.email}</strong>. We’ll send a
        link to your new address. Your email changes once you open it.
      </p>
      <RowForm call={call} path={emailPath}>
        <EmailField label="New email" value={email} autocomplete="email" fault={fault} focus />
        <Buttons label="Send link" />
      </RowForm>
    </>
  ),
})

export const showEmail: PageHandler = (_context, call) => emailPage(call, { email: '' })

export const sendNewEmail: PageHandler = async (context, call) => {
  const { id: person, name, email: current } = call.session.person
  const email = (call.form.get('email') ?? '').trim()
  if (call.form.has('edit')) return emailPage(call, { email })
  const fault = email === current ? 'Enter a different address.' : emailFault(email)
  if (fault !== undefined) return emailPage(call, { email, fault })
  await requestNewEmail(context.pool, { person, name, email }, ownActOf(call))
  context.emailed()
  const purpose = 'confirm your new email'
  return emailSentPage(context, call, { email, purpose, path: emailPath, fields: { email } })
}
