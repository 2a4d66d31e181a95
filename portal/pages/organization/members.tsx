// The members of an integration and its open invitations.
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
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { emailOf } from '#http/html/form-text.ts'
import { Badge, Confirm, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'
import { isRole, RoleChoice } from './roles.tsx'

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
      Invite a member
    </a>
  )
  return {
    title: 'Members',
    status,
    content: (
      <>
        <Heading
          title="Members"
          lead={`Who works on ${call.member.name}, and what their role lets them do.`}
          action={isOwner(call) && invite}
        />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <Table
          caption="Members"
          head={['Name', 'Role', 'Second factor', 'Member since', '']}
          rows={members.map(member => rowOf(call, member))}
        />
        {invitations.length > 0 && (
          <section>
            <h2>Open invitations</h2>
            <Table
              caption="Open invitations"
              head={['Email', 'Role', 'Sent', 'Ends', '']}
              rows={invitations.map(invitation => invitationRow(call, invitation))}
            />
          </section>
        )}
        <section>
          <h2>Leave</h2>
          <p>
            You lose access to {call.member.name}, and the agents and devices that act for you there
            end at once. Keys stay.
          </p>
          <Confirm
            call={call}
            path={call.pathOf('leave')}
            label="Leave this integration"
            question={`Only an owner can invite you to ${call.member.name} again.`}
            action="Leave"
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
  role,
  member.has_second_factor ? <Badge tone="good">yes</Badge> : <Badge tone="waiting">no</Badge>,
  <Time at={member.since} />,
  isOwner(call) && (
    <a href={call.pathOf('member', { id: person })} aria-label={`Change ${name}`}>
      Change
    </a>
  ),
]

const invitationRow = (call: MemberCall, { id, email, role, ...invitation }: OpenInvitation) => [
  <span class="address">{email}</span>,
  role,
  <Time at={invitation.created_at} />,
  <Time at={invitation.expires_at} />,
  isOwner(call) && (
    <Confirm
      call={call}
      path={call.pathOf('cancelInvitation', { id })}
      label="Cancel"
      question={`The link that ${email} was sent stops working.`}
      action="Cancel the invitation"
    />
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
  title: 'Invite a member',
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title="Invite a member"
        lead="They get an email with a link, which is good for seven days and for their address only."
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
          <button class="button">Send the invitation</button>
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
    const faults = { email: fault, role: isRole(role) ? undefined : 'Role must be one of these.' }
    return invitationForm(call, { email, role, faults, status: 422 })
  }
  const asked = { integration: call.member.integration, email, role }
  const act = { ...call.act, once: call.form.get('once') }
  const { refusal } = await pool.use(connection => inviteMember(connection, asked, act))
  if (refusal === null || refusal === 'already_sent') return { redirect: call.pathOf('members') }
  return invitationForm(call, { email, role, alert: refusalText(refusal), status: 409 })
}

const cancel: PortalHandler = async ({ pool }, call) => {
  const id = call.names['id'] ?? ''
  const asked = { id, integration: call.member.integration }
  // One that is accepted, canceled or over is not open any longer, as was asked for.
  if (isId(prefixes.invitation, id)) {
    await pool.use(connection => cancelInvitation(connection, asked, call.act))
  }
  return { redirect: call.pathOf('members') }
}

const leave: PortalHandler = async (portal, call) => {
  const name = { integration: call.member.integration, person: call.session.person.id }
  const { refusal } = await portal.pool.use(connection => removeMember(connection, name, call.act))
  if (refusal === null) return { redirect: '/' }
  return membersPage(portal, call, { alert: refusalText(refusal), status: 409 })
}

export const memberListHandlers = {
  members: (portal, call) => membersPage(portal, call),
  leave,
  newInvitation: (_portal, call) => invitationForm(call, {}),
  inviteMember: invite,
  cancelInvitation: cancel,
} satisfies Record<string, PortalHandler>
