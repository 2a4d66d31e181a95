// The organizations that an integration acts for: its sandbox in test mode, clinics in live mode.
import { isId, prefixes } from '#contract/ids.ts'
import { allScopes } from '#contract/scopes.ts'
import { type GrantRow, type GrantStatus, listGrants, withdrawGrant } from '#auth/grants/grants.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Badge, Confirm, Empty, Facts, Heading, ScopeList, Table, Time } from '#http/html/parts.tsx'
import { missing } from '../../refused.tsx'
import { refusalText } from '../../refusals.ts'

const tones = {
  pending: 'waiting',
  active: 'good',
  declined: 'bad',
  revoked: 'bad',
  withdrawn: 'plain',
  lapsed: 'plain',
} as const satisfies Record<GrantStatus, string>

const isOwner = ({ member }: MemberCall) => member.role === 'owner'

const grantsOf = ({ pool }: PortalContext, { member, mode }: MemberCall) =>
  pool.use(connection => listGrants(connection, { integration: member.integration, mode }))

const organizations: PortalHandler = async (portal, call) => {
  const grants = await grantsOf(portal, call)
  const request = isOwner(call) && (
    <a class="button" href={call.pathOf('newGrantRequest')}>
      Request access
    </a>
  )
  return {
    title: 'Organizations',
    content: (
      <>
        <Heading
          title="Organizations"
          lead={
            call.mode === 'test'
              ? 'In test mode you act for a clinic of your own, where every patient is invented. It grants every scope.'
              : 'In live mode you act for clinics that granted you access. A clinic decides which scopes you get.'
          }
          action={call.mode === 'live' && grants.length > 0 && request}
        />
        {grants.length === 0 ? (
          <Empty title="No clinic yet">
            <p>
              A clinic that wants to work with you tells you its id. Name it here with the scopes
              that you need. The clinic has thirty days to grant all of them, or fewer.
            </p>
            {request || <p>An owner of {call.member.name} asks for it.</p>}
          </Empty>
        ) : (
          <Table
            caption="Organizations"
            head={['Organization', 'State', 'Scopes', 'Since']}
            rows={grants.map(grant => rowOf(call, grant))}
          />
        )}
      </>
    ),
  }
}

const rowOf = (call: MemberCall, grant: GrantRow) => [
  <>
    <a href={call.pathOf('grant', { id: grant.id })}>{grant.organization_name}</a>
    <br />
    <code>{grant.organization}</code>
  </>,
  <Badge tone={tones[grant.status]}>{grant.status}</Badge>,
  scopesText(grant),
  <Time at={grant.ended_at ?? grant.decided_at ?? grant.created_at} />,
]

function scopesText({ scopes, requested_scopes: requested, status }: GrantRow): string {
  if (status === 'active') {
    const asked = requested === null ? allScopes.length : requested.length
    return scopes.length === asked ? `all ${asked}` : `${scopes.length} of ${asked} requested`
  }
  return `${(requested ?? scopes).length} requested`
}

const noGrant = (call: MemberCall) =>
  missing(
    'No such grant',
    call.pathOf('organizations'),
    'Organizations',
    'It may belong to the other mode or to another integration.',
  )

async function grantPage(portal: PortalContext, call: MemberCall, alert?: string) {
  const grant = (await grantsOf(portal, call)).find(({ id }) => id === call.names['id'])
  if (grant === undefined) return noGrant(call)
  const { id, organization_name: name, requested_scopes: requested, scopes } = grant
  const notGiven = grant.status === 'active' ? without(requested ?? [], scopes) : []
  return {
    title: name,
    status: alert === undefined ? 200 : 409,
    content: (
      <>
        <Heading
          title={name}
          lead={<Badge tone={tones[grant.status]}>{stateText[grant.status]}</Badge>}
        />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <Facts of={factsOf(grant)} />
        {scopes.length > 0 && <Scopes title="Granted" of={scopes} />}
        {notGiven.length > 0 && <Scopes title="Requested and not granted" of={notGiven} />}
        {scopes.length === 0 && <Scopes title="Requested" of={requested ?? []} />}
        {grant.status === 'pending' && isOwner(call) && (
          <Confirm
            call={call}
            path={call.pathOf('withdrawGrant', { id })}
            label="Withdraw the request"
            question={`${name} is not asked any longer. You can ask again.`}
            action="Withdraw"
          />
        )}
      </>
    ),
  }
}

const without = (all: readonly string[], some: readonly string[]) =>
  all.filter(one => !some.includes(one))

const stateText: Readonly<Record<GrantStatus, string>> = {
  pending: 'pending: the clinic has not decided yet',
  active: 'active: calls for this organization work',
  declined: 'declined by the clinic',
  revoked: 'revoked: calls for this organization are refused',
  withdrawn: 'withdrawn by you',
  lapsed: 'lapsed: the clinic did not decide within thirty days',
}

const Scopes = ({ title, of }: { title: string; of: readonly string[] }) => (
  <section>
    <h2>{title}</h2>
    <ScopeList of={of} />
  </section>
)

const factsOf = (grant: GrantRow) => [
  ['Organization', <code>{grant.organization}</code>] as const,
  ...(grant.requested_scopes === null
    ? []
    : [
        [
          'Requested',
          <>
            <Time at={grant.created_at} /> by {grant.requested_by_name ?? 'the operator'}
          </>,
        ] as const,
      ]),
  ...lines('Your note', grant.note),
  ...(grant.status === 'pending' ? moment('Lapses', grant.lapses_at) : []),
  ...moment('Decided', grant.decided_at),
  ...lines('The clinic’s note', grant.decision_note),
  ...moment('Ended', grant.ended_at),
]

const moment = (name: string, at: string | null) =>
  at === null ? [] : [[name, <Time at={at} />] as const]

const lines = (name: string, text: string | null) =>
  text === null ? [] : [[name, <span class="lines">{text}</span>] as const]

const withdraw: PortalHandler = async (portal, call) => {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.grant, id)) return noGrant(call)
  const { refusal } = await portal.pool.use(connection =>
    withdrawGrant(connection, { id, integration: call.member.integration }, call.act),
  )
  return refusal === null || refusal === 'not_found'
    ? { redirect: call.pathOf('organizations') }
    : grantPage(portal, call, refusalText(refusal))
}

export const grantHandlers = {
  organizations,
  grant: (portal, call) => grantPage(portal, call),
  withdrawGrant: withdraw,
} satisfies Record<string, PortalHandler>
