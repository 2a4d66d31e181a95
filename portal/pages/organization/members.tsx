// The members of an account and its open invitations.
import { isId, prefixes } from '#contract/ids.ts'
import {
  cancelInvitation,
  inviteMember,
  listInvitations,
  listMembers,
  type Member,
  type OpenInvitation,
  removeMember,
} from '#auth/accounts/members.ts'
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { emailOf } from '#http/html/form-text.ts'
import { typedIn } from '#http/pages/typed.tsx'
import { Address, Badge, Confirm, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'
import { isRole, RoleChoice } from './roles.tsx'
import { roleNames } from '../../role-names.ts'

const isOwner = ({ member }: MemberCall) => member.role === 'owner'

async function membersPage(
  { pool }: PortalContext,
  call: MemberCall,
  { alert, status = 200 }: { alert?: string; status?: number } = {},
) {
  const { integration } = call.member
  const [members, invitations] = await pool.use(async connection => [
    await listMembers(connection, integration),
    await listInvitations(connection, integration),
  ])
  const invite = (
    <a class="button" href={call.pathOf('newInvitation')}>
      Invite member
    </a>
  )
  return {
    title: 'Members',
    status,
    content: (
      <>
        <Heading
          title="Members"
          lead={`People with access to ${call.member.name}.`}
          action={isOwner(call) && invite}
        />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <Table
          caption="Members"
          head={['Name', 'Role', 'Two-factor', 'Joined', '']}
          rows={members.map(member => rowOf(call, member))}
        />
        {invitations.length > 0 && (
          <section>
            <h2>Open invitations</h2>
            <Table
              caption="Open invitations"
              head={['Email', 'Role', 'Sent', 'Expires', '']}
              rows={invitations.map(invitation => invitationRow(call, invitation))}
            />
          </section>
        )}
        <section>
          <h2>Leave account</h2>
          <p>
            You and your agents and devices lose access to {call.member.name} right away. Keys keep
            working.
          </p>
          <Confirm
            call={call}
            path={call.pathOf('leave')}
            label="Leave account"
            question={`To rejoin ${call.member.name}, you’ll need a new invitation from an owner.`}
            action="Leave account"
          />
        </section>
      </>
    ),
  }
}

const rowOf = (call: MemberCall, { person, name, email, role, ...member }: Member) => [
  <>
    <strong>{name}</strong>
    {person === call.session.person.id && <span class="quiet"> you</span>}
    <br />
    <span class="quiet address">{email}</span>
  </>,
  roleNames[role],
  member.has_second_factor ? <Badge tone="good">On</Badge> : <Badge tone="waiting">Off</Badge>,
  <Time at={member.since} />,
  isOwner(call) && (
    <a href={call.pathOf('member', { id: person })} aria-label={`Change ${name}`}>
      Change
    </a>
  ),
]

const invitationRow = (call: MemberCall, { id, email, role, ...invitation }: OpenInvitation) => [
  <Address of={email} />,
  roleNames[role],
  <Time at={invitation.created_at} />,
  <Time at={invitation.expires_at} />,
  isOwner(call) && (
    <div class="row-actions">
      <RowForm call={call} path={call.pathOf('inviteMember')} class="inline">
        <Hidden name="email" value={email} />
        <Hidden name="role" value={role} />
        <button class="button second small">Resend</button>
      </RowForm>
      <Confirm
        call={call}
        path={call.pathOf('cancelInvitation', { id })}
        label="Cancel"
        question={`The link we sent to ${email} stops working.`}
        action="Cancel invitation"
      />
    </div>
  ),
]

type InvitationForm = {
  readonly email?: string
  readonly role?: string | null
  readonly faults?: { email?: string | undefined; role?: string | undefined }
  readonly alert?: string
  readonly status?: number
}

const invitationForm = (call: MemberCall, given: InvitationForm) => ({
  title: 'Invite member',
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title="Invite member"
        lead="We’ll email a link that works for seven days, only for this address."
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('inviteMember')} class="stack">
        <Field
          name="email"
          label="Email"
          type="email"
          value={given.email ?? ''}
          fault={given.faults?.email}
          focus
        />
        <RoleChoice chosen={given.role ?? 'developer'} fault={given.faults?.role} />
        <div class="actions">
          <button class="button">Send invitation</button>
          <a class="button second" href={call.pathOf('members')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const invite: PortalHandler = async ({ pool }, call) => {
  const { value: email, fault } = emailOf(call.form, 'email')
  const role = call.form.get('role')
  if (fault !== undefined || !isRole(role)) {
    const faults = { email: fault, role: isRole(role) ? undefined : 'Choose a role.' }
    return invitationForm(call, { email, role, faults, status: 422 })
  }
  const asked = { integration: call.member.integration, email, role }
  const act = { ...call.act, once: call.form.get('once') }
  const { refusal } = await pool.use(connection => inviteMember(connection, asked, act))
  if (refusal === null || refusal === 'already_sent') {
    return { redirect: call.pathOf('members'), toast: { text: `Invitation sent to ${email}` } }
  }
  return invitationForm(call, { email, role, alert: refusalText(refusal), status: 409 })
}

const cancel: PortalHandler = async ({ pool }, call) => {
  const id = call.names['id'] ?? ''
  const asked = { id, integration: call.member.integration }
  // Canceling an invitation that isn't open anymore isn't an error.
  if (isId(prefixes.invitation, id)) {
    await pool.use(connection => cancelInvitation(connection, asked, call.act))
  }
  return { redirect: call.pathOf('members'), toast: { text: 'Invitation canceled' } }
}

const leave: PortalHandler = async (portal, call) => {
  const name = { integration: call.member.integration, person: call.session.person.id }
  const { refusal } = await portal.pool.use(connection => removeMember(connection, name, call.act))
  if (refusal === null) {
    return { redirect: '/', toast: { text: `You left ${call.member.name}` } }
  }
  return membersPage(portal, call, { alert: refusalText(refusal), status: 409 })
}

export const memberListHandlers = {
  members: (portal, call) => membersPage(portal, call),
  leave,
  newInvitation: (_portal, call) =>
    invitationForm(call, {
      email: typedIn(call, 'inviteMember', 'email') ?? '',
      role: typedIn(call, 'inviteMember', 'role'),
    }),
  inviteMember: invite,
  cancelInvitation: cancel,
} satisfies Record<string, PortalHandler>
