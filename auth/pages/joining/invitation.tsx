// The page behind an invitation's link, where the person with the invited address joins. A person
// without an account creates one here, because the link verifies the address.
import { Field, Hidden } from '#http/html/fields.tsx'
import { acceptInvitation } from '../../accounts/members.ts'
import {
  findInvitation,
  joinByInvitation,
  type ReceivedInvitation,
} from '../../accounts/sign-ups.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { characters, nameFault } from '../forms.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { rolesText } from '#email/person-text.ts'
import { ownActOf } from '../audit.ts'
import { beginSession } from './verify-email.tsx'
import { returningTo, stepBefore } from '../steps.ts'
import type { Act } from '../../act.ts'

const path = '/invitations/accept'

const ended: PageAnswer = {
  failure: {
    status: 404,
    title: 'This invitation has expired',
    text: 'Invitations last seven days, and each works once. If you already joined, sign in. Otherwise, ask for a new one.',
    next: { href: '/account', label: 'Sign in' },
  },
}

const otherAddress = (call: AnyCall, invited: string): PageAnswer => ({
  title: 'This invitation is for another address',
  status: 403,
  content: (
    <>
      <h1>This invitation is for another address</h1>
      <p class="lead">
        The invitation is for <strong class="address">{invited}</strong>, but you’re signed in as{' '}
        <strong class="address">{call.session?.person.email}</strong>.
      </p>
      <p>
        To join as <strong class="address">{invited}</strong>, sign out and continue. To join as{' '}
        <strong class="address">{call.session?.person.email}</strong>, ask for a new invitation to
        that address.
      </p>
      <RowForm call={call} path="/sign-out">
        <Hidden name="next" value={call.back} />
        <Actions>
          <Submit>Sign out and continue</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

type InvitationForm = {
  readonly token: string
  readonly invitation: ReceivedInvitation
  readonly name?: string
  readonly faults?: { readonly name: string | undefined; readonly password: string | undefined }
}

const titleOf = ({ to }: ReceivedInvitation) => (to === 'clinic' ? 'Join a clinic' : 'Join a team')

/** The origin where the person continues after joining. */
const nextOf = ({ handoffUrls }: PageContext, { to }: ReceivedInvitation) =>
  handoffUrls[to === 'clinic' ? 'console' : 'portal'] ?? '/'

const Invited = ({ invitation }: { invitation: ReceivedInvitation }) => (
  <>
    <h1>Join “{invitation.name}”</h1>
    <p class="lead">
      {invitation.by === null ? 'You’re invited' : `“${invitation.by}” invited you`} to join the{' '}
      {invitation.to === 'clinic' ? 'clinic’s staff' : 'team'}. {rolesText(invitation.roles)}
    </p>
  </>
)

const joinPage = (
  context: PageContext,
  call: AnyCall,
  { token, invitation }: InvitationForm,
): PageAnswer => ({
  title: titleOf(invitation),
  // Members continue at the portal or the console.
  formTargets: Object.values(context.handoffUrls),
  content: (
    <>
      <Invited invitation={invitation} />
      <RowForm call={call} path={path}>
        <Hidden name="token" value={token} />
        <Actions>
          <Submit>Join</Submit>
          <a class="button second" href="/">
            Not now
          </a>
        </Actions>
      </RowForm>
    </>
  ),
})

const newPersonPage = (
  call: AnyCall,
  { token, invitation, name = '', faults }: InvitationForm,
): PageAnswer => ({
  title: titleOf(invitation),
  status: faults === undefined ? 200 : 422,
  scripts: true,
  content: (
    <>
      <Invited invitation={invitation} />
      <p>
        Create an account for <strong class="address">{invitation.email}</strong>. Next, you’ll add
        an authenticator app or a passkey.
      </p>
      <RowForm call={call} path={path}>
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
          <Submit>Create account and join</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

async function invitationOf(context: PageContext, token: string) {
  const id = context.links.read('invitation', token)
  const invitation = id === null ? null : await findInvitation(context.pool, id)
  return id === null || invitation === null ? null : { id, invitation }
}

export const showInvitation: OpenHandler = async (context, call) => {
  const token = call.query.get('token') ?? ''
  const found = await invitationOf(context, token)
  if (found === null) return ended
  const given = { token, invitation: found.invitation }
  const { session } = call
  if (session === null && !found.invitation.has_account) return newPersonPage(call, given)
  const before = await beforeJoining(context, call)
  if (before !== null) return { redirect: before }
  const isForOther = session?.person.email.toLowerCase() !== given.invitation.email.toLowerCase()
  return isForOther ? otherAddress(call, given.invitation.email) : joinPage(context, call, given)
}

/** Sign-in returns to the invitation's URL with its token, even after its form was sent. */
const beforeJoining = async (context: PageContext, { session, back }: AnyCall) =>
  session === null ? returningTo('/sign-in', back) : stepBefore(context, session, back)

export const answerInvitation: OpenHandler = async (context, call) => {
  const token = call.form.get('token') ?? ''
  const found = await invitationOf(context, token)
  if (found === null) return ended
  const { id, invitation } = found
  const { session } = call
  if (session === null && !invitation.has_account) {
    return createAndJoin(context, call, { id, token, invitation })
  }
  const before = await beforeJoining(context, call)
  if (before !== null || session === null) return { redirect: before ?? '/sign-in' }
  const act: Act = { ...ownActOf(call), person: session.person.id }
  const { refusal } = await context.pool.use(connection => acceptInvitation(connection, id, act))
  if (refusal === 'other_address') return otherAddress(call, invitation.email)
  if (refusal !== null && refusal !== 'already_member') return ended
  return { redirect: nextOf(context, invitation) }
}

async function createAndJoin(
  context: PageContext,
  call: AnyCall,
  { id, token, invitation }: InvitationForm & { readonly id: string },
) {
  const { form } = call
  const name = (form.get('name') ?? '').trim()
  const password = form.get('password') ?? ''
  const faults = {
    name: nameFault(name),
    password: await newPasswordFault(context, password, [invitation.email, invitation.name, name]),
  }
  if (faults.name !== undefined || faults.password !== undefined) {
    return newPersonPage(call, { token, invitation, name, faults })
  }
  const person = await joinByInvitation(context.pool, { id, name, password }, ownActOf(call))
  return person === null ? ended : beginSession(context, call, person, nextOf(context, invitation))
}
