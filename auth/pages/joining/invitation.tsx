// Behind the link of an invitation: a person of the invited address joins. Who has no account yet
// makes one here, because the link came to the address.
import { Field, Hidden } from '#http/html/fields.tsx'
import type { Act } from '../../administration.ts'
import { acceptInvitation } from '../../accounts/members.ts'
import {
  findInvitation,
  joinByInvitation,
  type ReceivedInvitation,
} from '../../accounts/sign-ups.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { failurePage } from '../failure.tsx'
import { characters, nameFault } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import { type PageAnswer, redirect } from '../page.ts'
import { Actions, Form, Submit } from '../parts.tsx'
import { ownActOf, ownPage } from '../own/own-page.tsx'
import { stepBefore } from '../steps.ts'
import { beginSession } from './verify-email.tsx'

const path = '/invitations/accept'

const withToken = (token: string) => `${path}?${new URLSearchParams({ token })}`

const endedPage = ({ site }: PageContext): PageAnswer =>
  failurePage(site, {
    status: 404,
    title: 'This invitation works no longer',
    text: 'It was accepted, withdrawn or replaced, or seven days have passed. Ask for another one.',
  })

const otherAddressPage = (context: PageContext, call: PageCall, invited: string): PageAnswer =>
  ownPage(context, call, {
    title: 'This invitation is for another address',
    status: 403,
    content: (
      <>
        <h1>This invitation is for another address</h1>
        <p class="lead">
          It is for <strong class="address">{invited}</strong>, and you are signed in as{' '}
          <strong class="address">{call.session?.person.email}</strong>. Sign out, and open the link
          again.
        </p>
      </>
    ),
  })

type Given = {
  readonly token: string
  readonly invitation: ReceivedInvitation
  readonly name?: string
  readonly faults?: { readonly name: string | undefined; readonly password: string | undefined }
}

const titleOf = ({ to }: ReceivedInvitation) =>
  to === 'clinic' ? 'Join a clinic' : 'Join an integration'

/** Where the person goes on. */
const nextOf = ({ handoffUrls }: PageContext, { to }: ReceivedInvitation) =>
  handoffUrls[to === 'clinic' ? 'console' : 'portal'] ?? '/'

const Invited = ({ invitation }: { invitation: ReceivedInvitation }) => (
  <>
    <h1>Join “{invitation.name}”</h1>
    <p class="lead">
      {invitation.by === null ? 'You are invited' : `“${invitation.by}” invites you`} as{' '}
      {invitation.roles.join(', ')}
      {invitation.to === 'clinic' && ' on the staff of the clinic'}.
    </p>
  </>
)

const joinPage = (context: PageContext, call: PageCall, { token, invitation }: Given) =>
  ownPage(context, call, {
    title: titleOf(invitation),
    // Where a member goes on.
    formTargets: Object.values(context.handoffUrls),
    content: (
      <>
        <Invited invitation={invitation} />
        <Form call={call} action={path}>
          <Hidden name="token" value={token} />
          <Actions>
            <Submit>Join</Submit>
            <a class="button second" href="/">
              Not now
            </a>
          </Actions>
        </Form>
      </>
    ),
  })

const newPersonPage = (
  context: PageContext,
  call: PageCall,
  { token, invitation, name = '', faults }: Given,
) =>
  ownPage(context, call, {
    title: titleOf(invitation),
    status: faults === undefined ? 200 : 422,
    content: (
      <>
        <Invited invitation={invitation} />
        <p>
          Create an account for <strong class="address">{invitation.email}</strong>. After this step
          you add an authenticator app.
        </p>
        <Form call={call} action={path}>
          <Hidden name="token" value={token} />
          <Field
            name="name"
            label="Your name"
            value={name}
            autocomplete="name"
            fault={faults?.name}
            focus
            input={{ maxLength: characters.name }}
          />
          <NewPassword fault={faults?.password} />
          <Actions>
            <Submit>Create the account and join</Submit>
          </Actions>
        </Form>
      </>
    ),
  })

async function invitationOf(context: PageContext, token: string) {
  const id = context.links.read('invitation', token)
  const invitation = id === null ? null : await findInvitation(context.pool, id)
  return id === null || invitation === null ? null : { id, invitation }
}

const isFor = ({ email }: ReceivedInvitation, call: PageCall) =>
  call.session?.person.email.toLowerCase() === email.toLowerCase()

export const showInvitation: PageHandler = async (context, call) => {
  const token = call.request.query.get('token') ?? ''
  const found = await invitationOf(context, token)
  if (found === null) return endedPage(context)
  const given = { token, invitation: found.invitation }
  if (call.session === null && !found.invitation.has_account) {
    return newPersonPage(context, call, given)
  }
  const before = await stepBefore(context, call, withToken(token))
  if (before !== null) return redirect(before)
  if (!isFor(found.invitation, call)) {
    return otherAddressPage(context, call, found.invitation.email)
  }
  return joinPage(context, call, given)
}

export const answerInvitation: PageHandler = async (context, call) => {
  const token = call.request.form.get('token') ?? ''
  const found = await invitationOf(context, token)
  if (found === null) return endedPage(context)
  const { id, invitation } = found
  if (call.session === null && !invitation.has_account) {
    return createAndJoin(context, call, { id, token, invitation })
  }
  const before = await stepBefore(context, call, withToken(token))
  if (before !== null || call.session === null) return redirect(before ?? '/sign-in')
  const act: Act = { ...ownActOf(call), person: call.session.person.id }
  const { refusal } = await context.pool.use(connection => acceptInvitation(connection, id, act))
  if (refusal === 'other_address') return otherAddressPage(context, call, invitation.email)
  if (refusal !== null && refusal !== 'already_member') return endedPage(context)
  return redirect(nextOf(context, invitation))
}

async function createAndJoin(
  context: PageContext,
  call: PageCall,
  { id, token, invitation }: Given & { readonly id: string },
) {
  const { form } = call.request
  const name = (form.get('name') ?? '').trim()
  const password = form.get('password') ?? ''
  const faults = {
    name: nameFault(name),
    password: await newPasswordFault(context, password, [invitation.email, name]),
  }
  if (faults.name !== undefined || faults.password !== undefined) {
    return newPersonPage(context, call, { token, invitation, name, faults })
  }
  const person = await joinByInvitation(context.pool, { id, name, password }, ownActOf(call))
  return person === null ? endedPage(context) : beginSession(context, call, person)
}
