// The clinic's staff and open invitations.

import { isId, prefixes } from '#contract/ids.ts'
import type { StaffRole } from '#contract/console/row.ts'
import {
  cancelStaffInvitation,
  inviteStaff,
  listStaff,
  listStaffInvitations,
  type OpenStaffInvitation,
  type StaffMemberRow,
} from '#auth/clinics/staff.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import { emailOf } from '#http/html/form-text.ts'
import { Badge, Confirm, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { statusText } from '#http/html/status-text.ts'
import { rolesText } from '../../words.ts'
import { typedIn } from '#http/pages/typed.tsx'
import { refusalText } from './refusals.ts'
import { RoleChoices, rolesFault, rolesOf } from './roles.tsx'

const said = {
  invited: 'Invitation sent.',
  canceled: 'Invitation canceled.',
  deactivated: 'Access removed.',
}

async function staffPage({ pool }: ConsoleContext, call: ConsoleCall, alert?: string) {
  const { organization } = call.staff
  const [all, invitations] = await pool.use(async connection => [
    await listStaff(connection, organization),
    await listStaffInvitations(connection, organization),
  ])
  const [active, former] = [
    all.filter(one => one.removed_at === null),
    all.filter(one => one.removed_at !== null),
  ]
  return {
    title: 'Staff',
    status: alert === undefined ? 200 : 409,
    content: (
      <>
        <Heading
          title="Staff"
          lead={`Who works at ${call.staff.name} and what they can do.`}
          action={
            <a class="button" href={call.pathOf('newStaffInvitation')}>
              Invite staff
            </a>
          }
        />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <DoneNote call={call} said={said} />
        <Table
          caption="Staff"
          head={['Name', 'Roles', 'Licenses', 'Second factor', 'Since', '']}
          rows={active.map(one => rowOf(call, one))}
        />
        {invitations.length > 0 && (
          <section>
            <h2>Open invitations</h2>
            <Table
              caption="Open invitations"
              head={['Email', 'Roles', 'Sent', 'Expires', '']}
              rows={invitations.map(one => invitationRow(call, one))}
            />
          </section>
        )}
        {former.length > 0 && (
          <section>
            <h2>Deactivated</h2>
            <p>Invite someone again to restore their access.</p>
            <Table
              caption="Deactivated"
              head={['Name', 'Former roles', 'Deactivated']}
              rows={former.map(one => [
                <NameOf call={call} member={one} />,
                rolesOfPerson(one.roles),
                <Time at={one.removed_at ?? one.since} />,
              ])}
            />
          </section>
        )}
      </>
    ),
  }
}

const rolesOfPerson = (roles: readonly StaffRole[]) => statusText(rolesText(roles))

const NameOf = ({ call, member }: { call: ConsoleCall; member: StaffMemberRow }) => (
  <>
    <strong>{member.name}</strong>
    {member.person === call.session.person.id && <span class="quiet"> you</span>}
    <br />
    <span class="quiet address">{member.email}</span>
  </>
)

const rowOf = (call: ConsoleCall, member: StaffMemberRow) => [
  <NameOf call={call} member={member} />,
  <>
    {rolesOfPerson(member.roles)}
    {(member.recovered_at ?? member.recovery_at) !== null && (
      <>
        <br />
        <Badge tone="waiting">
          {member.recovered_at === null ? 'Recovering account' : 'Confirm account'}
        </Badge>
      </>
    )}
  </>,
  <Licenses of={member.licenses} />,
  member.has_second_factor ? <Badge tone="good">Yes</Badge> : <Badge tone="waiting">No</Badge>,
  <Time at={member.since} />,
  <a href={call.pathOf('staffMember', { id: member.person })} aria-label={`Edit ${member.name}`}>
    Edit
  </a>,
]

const Licenses = ({ of }: { of: StaffMemberRow['licenses'] }) =>
  of.length === 0 ? (
    <span class="quiet">None</span>
  ) : (
    <>
      {of.map((one, at) => (
        <span key={one.state}>
          {at > 0 && ', '}
          {one.state}
          {!one.is_valid && <span class="quiet"> expired</span>}
        </span>
      ))}
    </>
  )

const invitationRow = (call: ConsoleCall, one: OpenStaffInvitation) => [
  <span class="address">{one.email}</span>,
  rolesOfPerson(one.roles),
  <Time at={one.created_at} />,
  <Time at={one.expires_at} />,
  <Confirm
    call={call}
    path={call.pathOf('cancelStaffInvitation', { id: one.id })}
    label="Cancel"
    question={`The link sent to ${one.email} stops working.`}
    action="Cancel invitation"
  />,
]

type InvitationForm = {
  readonly faults?: { email?: string | undefined; role?: string | undefined }
  readonly alert?: string
  readonly status?: number
}

const invitationForm = (call: ConsoleCall, given: InvitationForm) => ({
  title: 'Invite staff',
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title="Invite staff"
        lead="We’ll email them a link. It works for 7 days, only with this address."
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('inviteStaff')} class="stack">
        <Field
          name="email"
          label="Email"
          type="email"
          value={typedIn(call, 'inviteStaff', 'email') ?? ''}
          fault={given.faults?.email}
          focus
        />
        <RoleChoices
          chosen={call.row === 'inviteStaff' ? rolesOf(call.form) : []}
          fault={given.faults?.role}
        />
        <div class="actions">
          <button class="button">Send invitation</button>
          <a class="button second" href={call.pathOf('staff')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const invite: ConsoleHandler = async ({ pool }, call) => {
  const { value: email, fault } = emailOf(call.form, 'email')
  const roles = rolesOf(call.form)
  const faults = { email: fault, role: rolesFault(roles) }
  if (faults.email !== undefined || faults.role !== undefined) {
    return invitationForm(call, { faults, status: 422 })
  }
  const act = { ...call.act, once: call.form.get('once') }
  const { refusal } = await pool.use(connection => inviteStaff(connection, { email, roles }, act))
  if (refusal === null || refusal === 'already_sent') {
    return { redirect: call.pathOf('staff', {}, { done: 'invited' }) }
  }
  return invitationForm(call, { alert: refusalText(refusal), status: 409 })
}

const cancel: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  const { refusal } = isId(prefixes.invitation, id)
    ? await context.pool.use(connection => cancelStaffInvitation(connection, id, call.act))
    : { refusal: 'not_found' as const }
  if (refusal === 'not_found') {
    // A person who accepted it in the meantime has access.
    const alert = 'This invitation isn’t open anymore, so nothing was canceled.'
    return staffPage(context, call, alert)
  }
  if (refusal !== null) return staffPage(context, call, refusalText(refusal))
  return { redirect: call.pathOf('staff', {}, { done: 'canceled' }) }
}

export const staffHandlers = {
  staff: (context, call) => staffPage(context, call),
  newStaffInvitation: (_context, call) => invitationForm(call, {}),
  inviteStaff: invite,
  cancelStaffInvitation: cancel,
} satisfies Record<string, ConsoleHandler>
