// The clinics an account works with: its sandbox in test mode, real clinics in live mode.
import { isId, prefixes } from '#contract/ids.ts'
import { allScopes } from '#contract/scopes.ts'
import { type GrantRow, type GrantStatus, listGrants, withdrawGrant } from '#auth/grants/grants.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { GrantBadge, grantTones, textFact, timeFact } from '#http/html/grant-parts.tsx'
import { Badge, Confirm, Empty, Facts, Heading, Id, Table, Time } from '#http/html/parts.tsx'
import { ScopeList } from '#http/html/scope-parts.tsx'
import { missing } from '../../refused.tsx'
import { refusalText } from '../../refusals.ts'

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
    title: 'Clinics',
    content: (
      <>
        <Heading
          title="Clinics"
          lead={
            call.mode === 'test'
              ? 'Your sandbox clinic, with synthetic patients and every scope.'
              : 'Clinics that granted you access. Each one decides which scopes you get.'
          }
          action={call.mode === 'live' && grants.length > 0 && request}
        />
        {grants.length === 0 ? (
          <Empty title="No clinics yet">
            <p>
              Ask the clinic for its ID, then request the scopes you need. The clinic has 30 days to
              decide.
            </p>
            {request || <p>Ask an owner of {call.member.name} to request access.</p>}
          </Empty>
        ) : (
          <Table
            caption="Clinics"
            head={['Clinic', 'Status', 'Scopes', 'Since']}
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
    <div>
      <Id of={grant.organization} />
    </div>
  </>,
  <GrantBadge status={grant.status} />,
  scopesText(grant),
  <Time at={grant.ended_at ?? grant.decided_at ?? grant.created_at} />,
]

function scopesText({ scopes, requested_scopes: requested, status }: GrantRow): string {
  if (status === 'active') {
    const asked = requested === null ? allScopes.length : requested.length
    return scopes.length === asked ? `All ${asked}` : `${scopes.length} of ${asked} requested`
  }
  return `${(requested ?? scopes).length} requested`
}

const noGrant = (call: MemberCall) =>
  missing(
    'Clinic not found',
    call.pathOf('organizations'),
    'Clinics',
    'Check the URL, or look in the other mode.',
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
          lead={<Badge tone={grantTones[grant.status]}>{outcomes[grant.status]}</Badge>}
        />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <Facts of={factsOf(grant)} />
        {scopes.length > 0 && <Scopes title="Granted" of={scopes} />}
        {notGiven.length > 0 && <Scopes title="Not granted" of={notGiven} />}
        {scopes.length === 0 && <Scopes title="Requested" of={requested ?? []} />}
        {grant.status === 'pending' && isOwner(call) && (
          <Confirm
            call={call}
            path={call.pathOf('withdrawGrant', { id })}
            label="Withdraw request"
            question={`${name} won’t see your request anymore. You can request access again.`}
            action="Withdraw request"
          />
        )}
      </>
    ),
  }
}

const without = (all: readonly string[], some: readonly string[]) =>
  all.filter(one => !some.includes(one))

const outcomes: Readonly<Record<GrantStatus, string>> = {
  pending: 'Waiting for the clinic to decide',
  active: 'Active',
  declined: 'Declined by the clinic',
  revoked: 'Revoked. Requests for this clinic are refused',
  withdrawn: 'Withdrawn by you',
  lapsed: 'Expired. The clinic didn’t decide within 30 days',
}

const Scopes = ({ title, of }: { title: string; of: readonly string[] }) => (
  <section>
    <h2>{title}</h2>
    <ScopeList of={of} />
  </section>
)

const factsOf = (grant: GrantRow) => [
  ['Clinic ID', <Id of={grant.organization} />] as const,
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
  ...textFact('Your note', grant.note),
  ...(grant.status === 'pending' ? timeFact('Expires', grant.lapses_at) : []),
  ...timeFact('Decided', grant.decided_at),
  ...textFact('The clinic’s note', grant.decision_note),
  ...timeFact('Ended', grant.ended_at),
]

const withdraw: PortalHandler = async (portal, call) => {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.grant, id)) return noGrant(call)
  const { refusal } = await portal.pool.use(connection =>
    withdrawGrant(connection, { id, integration: call.member.integration }, call.act),
  )
  return refusal === null || refusal === 'not_found'
    ? { redirect: call.pathOf('organizations'), toast: { text: 'Request withdrawn' } }
    : grantPage(portal, call, refusalText(refusal))
}

export const grantHandlers = {
  organizations,
  grant: (portal, call) => grantPage(portal, call),
  withdrawGrant: withdraw,
} satisfies Record<string, PortalHandler>
