// The agents and devices that act for members: owners see all of them, and other members see their
// own.
import { oauthPaths } from '#contract/oauth.ts'
import { listMemberAccess, type MemberAccess } from '#auth/integration-access.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { AgoOrNever, Empty, Heading, Table, Time } from '#http/html/parts.tsx'
import { CredentialList } from './credential-list.tsx'
import { shortScopes } from './short-scopes.ts'

/** The agents and devices that the member may see; there are none in live mode. */
export const listVisible = (
  { pool }: PortalContext,
  { member, mode, session }: MemberCall,
): Promise<MemberAccess[]> =>
  mode === 'live'
    ? Promise.resolve([])
    : listMemberAccess(pool, member.integration, member.role === 'owner' ? null : session.person.id)

const nameOf = ({ client, person, kind }: MemberAccess) => ({ client, person, kind })

export const showAccess: PortalHandler = async (portal, call) => {
  const all = await listVisible(portal, call)
  const isOwner = call.member.role === 'owner'
  return {
    title: 'Agents and devices',
    content: (
      <>
        <Heading
          title="Agents and devices"
          lead={
            isOwner
              ? 'Programs that members have authorized to act for them in test mode.'
              : 'Programs you’ve authorized to act for you in test mode.'
          }
          action={
            <a class="button second" href={`${portal.authUrl}${oauthPaths.device}`}>
              Enter device code
            </a>
          }
        />
        {all.length === 0 ? (
          <Nothing portal={portal} call={call} />
        ) : (
          <CredentialList call={call} row="access" items={all.map(listedOf)}>
            {shown => (
              <Table
                caption="Agents and devices"
                head={[
                  'Name',
                  'Kind',
                  ...(isOwner ? ['For'] : []),
                  'Scopes',
                  'Requests',
                  'Last used',
                  'Since',
                ]}
                rows={shown.map(({ access }) => rowOf(call, access))}
              />
            )}
          </CredentialList>
        )}
      </>
    ),
  }
}

const listedOf = (access: MemberAccess) => ({
  id: `${access.client}.${access.person}.${access.kind}`,
  name: access.client_name,
  access,
})

const rowOf = (call: MemberCall, access: MemberAccess) => [
  <a href={call.pathOf('memberAccess', nameOf(access))}>
    <strong>“{access.client_name}”</strong>
    {access.client_host !== null && ` from ${access.client_host}`}
  </a>,
  access.kind === 'agent' ? 'Agent' : 'Device',
  ...(call.member.role === 'owner' ? [access.person_name] : []),
  shortScopes(access.scopes),
  access.calls,
  <AgoOrNever at={access.last_used_at} never="Never" />,
  <Time at={access.since} />,
]

const Nothing = ({ portal, call }: { portal: PortalContext; call: MemberCall }) =>
  call.mode === 'live' ? (
    <Empty title="Test mode only">
      <p>Agents and devices only work in test mode and never reach real patients.</p>
      <a class="button second" href={call.pathOf('access', { mode: 'test' })}>
        Open in test mode
      </a>
    </Empty>
  ) : (
    <Empty title="No agents or devices yet">
      <p>
        <a href={`${portal.site.url}/docs/tool-server`}>Add the tool server</a> to an agent, such as
        your editor, and approve it in the browser. A device shows a code that you enter here.{' '}
        <a href={`${portal.site.url}/docs/oauth`}>How tokens work</a>
      </p>
    </Empty>
  )
