// One member: their role, their agents and devices, and how to remove them.
import { isId, prefixes } from '#contract/ids.ts'
import type { MemberRole } from '#contract/scopes.ts'
import { type Access, listAccess } from '#auth/accounts/access.ts'
import {
  allowLiveChanges,
  changeRole,
  listMembers,
  type Member,
  removeMember,
} from '#auth/accounts/members.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Confirm, Heading, RowForm, Table, Time, TimeOrNever } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { missing } from '../../refused.tsx'
import { refusalText } from '../../refusals.ts'
import { roleNames } from '../../role-names.ts'
import { isRole, RoleChoice } from './roles.tsx'

type MemberState = {
  readonly role?: string | null
  readonly alert?: string
  readonly fault?: string
}

const noMember = (call: MemberCall) =>
  missing(
    'Member not found',
    call.pathOf('members'),
    'Members',
    'They may have left. Check the URL.',
  )

async function memberPage(
  { pool }: PortalContext,
  call: MemberCall,
  { alert, role, fault }: MemberState = {},
) {
  const { integration } = call.member
  const members = await pool.use(connection => listMembers(connection, integration))
  const member = members.find(({ person }) => person === call.names['id'])
  if (member === undefined) return noMember(call)
  const access = (await listAccess(pool, member.person)).filter(
    one => one.integration === integration,
  )
  const id = member.person
  return {
    title: member.name,
    status: alert !== undefined ? 409 : fault !== undefined ? 422 : 200,
    content: (
      <>
        <Heading title={member.name} lead={member.email} />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <RowForm call={call} path={call.pathOf('changeRole', { id })} class="stack">
          <RoleChoice chosen={role ?? member.role} fault={fault} />
          <div class="actions">
            <button class="button">Change role</button>
            <a class="button second" href={call.pathOf('members')}>
              Back to members
            </a>
          </div>
        </RowForm>
        <section>
          <h2>Agents and devices</h2>
          <ActingFor access={access} />
        </section>
        {member.role === 'developer' && <LiveChanges call={call} member={member} />}
        <Removal call={call} member={member} access={access} />
      </>
    ),
  }
}

const ActingFor = ({ access }: { access: readonly Access[] }) =>
  access.length === 0 ? (
    <p class="quiet">No agents or devices act for this member.</p>
  ) : (
    <Table
      caption="Agents and devices"
      head={['Name', 'Kind', 'Since', 'Last used']}
      rows={access.map(one => [
        `“${one.client_name}”`,
        one.kind === 'agent' ? 'Agent' : 'Device',
        <Time at={one.since} />,
        <TimeOrNever at={one.last_used_at} never="Never" />,
      ])}
    />
  )

const LiveChanges = ({ call, member }: Omit<RemovalProps, 'access'>) => (
  <section>
    <h2>Live endpoints</h2>
    {member.live_until === null ? (
      <>
        <p>
          Only owners can change live endpoints and replay live events. You can give {member.name}{' '}
          this permission for 24 hours. We email owners about each new destination.
        </p>
        <RowForm call={call} path={call.pathOf('allowLiveChanges', { id: member.person })}>
          <button class="button second">Allow for 24 hours</button>
        </RowForm>
      </>
    ) : (
      <p>
        {member.name} can change live endpoints until <Time at={member.live_until} />.
      </p>
    )}
  </section>
)

type RemovalProps = { call: MemberCall; member: Member; access: readonly Access[] }

function Removal({ call, member, access }: RemovalProps) {
  const isOneself = member.person === call.session.person.id
  return (
    <section>
      <h2>{isOneself ? 'Leave account' : 'Remove member'}</h2>
      <Confirm
        call={call}
        path={call.pathOf('removeMember', { id: member.person })}
        label={isOneself ? 'Leave account' : `Remove ${member.name}`}
        question={`${isOneself ? 'You lose' : `${member.name} loses`} access to ${call.member.name}. ${endedText(access)} Keys keep working.`}
        action={isOneself ? 'Leave account' : `Remove ${member.name}`}
      />
    </section>
  )
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function endedText(access: readonly Access[]): string {
  const countOf = (kind: Access['kind']) => access.filter(one => one.kind === kind).length
  const [agents, devices] = [countOf('agent'), countOf('device')]
  if (agents + devices === 0) return ''
  const ended = [
    ...(agents > 0 ? [counted(agents, 'agent')] : []),
    ...(devices > 0 ? [counted(devices, 'device')] : []),
  ].join(' and ')
  return `${ended} lose access right away.`
}

const nameOf = (call: MemberCall) => ({
  integration: call.member.integration,
  person: call.names['id'] ?? '',
})

const change: PortalHandler = async (portal, call) => {
  const name = nameOf(call)
  if (!isId(prefixes.person, name.person)) return noMember(call)
  const role = call.form.get('role')
  if (!isRole(role)) return memberPage(portal, call, { fault: 'Choose a role.' })
  const { refusal, before } = await portal.pool.use(async connection => {
    const members = await listMembers(connection, name.integration)
    const found = members.find(({ person }) => person === name.person)
    return { before: found?.role, ...(await changeRole(connection, { ...name, role }, call.act)) }
  })
  if (refusal === null) {
    return { redirect: call.pathOf('members'), toast: roleToast(call, before, role) }
  }
  return memberPage(portal, call, { role, alert: refusalText(refusal) })
}

/** Owners can't undo giving up their own owner role. */
const roleToast = (call: MemberCall, before: MemberRole | undefined, role: MemberRole) => ({
  text: `Role changed to ${roleNames[role]}`,
  ...(before !== undefined &&
    before !== role &&
    call.names['id'] !== call.session.person.id && {
      undo: { path: call.pathOf('changeRole'), fields: { role: before } },
    }),
})

const remove: PortalHandler = async (portal, call) => {
  const name = nameOf(call)
  if (!isId(prefixes.person, name.person)) return noMember(call)
  const { refusal } = await portal.pool.use(connection => removeMember(connection, name, call.act))
  // Removing twice isn't an error.
  if (refusal !== null && refusal !== 'not_found') {
    return memberPage(portal, call, { alert: refusalText(refusal) })
  }
  const isOneself = name.person === call.session.person.id
  return isOneself
    ? { redirect: '/', toast: { text: `You left ${call.member.name}` } }
    : { redirect: call.pathOf('members'), toast: { text: 'Member removed' } }
}

const allow: PortalHandler = async (portal, call) => {
  const name = nameOf(call)
  if (!isId(prefixes.person, name.person)) return noMember(call)
  const { refusal } = await portal.pool.use(one => allowLiveChanges(one, name, call.act))
  if (refusal !== null) return memberPage(portal, call, { alert: refusalText(refusal) })
  return {
    redirect: call.pathOf('member', { id: name.person }),
    toast: { text: 'Live changes allowed for 24 hours' },
  }
}

export const memberHandlers = {
  member: (portal, call) => memberPage(portal, call, { role: typedIn(call, 'changeRole', 'role') }),
  changeRole: change,
  allowLiveChanges: allow,
  removeMember: remove,
} satisfies Record<string, PortalHandler>
