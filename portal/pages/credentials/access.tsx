// The agents and devices that act for members: all of them for owners, their own for others.
import { oauthPaths } from '#contract/oauth.ts'
import { listMemberAccess, type MemberAccess } from '#auth/integration-access.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Empty, Heading, Table, Time, TimeOrNever } from '#http/html/parts.tsx'
import { CredentialList } from './credential-list.tsx'
import { shortScopes } from './short-scopes.ts'

/** What the member may see of it: consents are of test mode alone. */
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
              ? 'What members agreed to: programs that act for them in test mode.'
              : 'What you agreed to: programs that act for you in test mode.'
          }
          action={
            <a class="button second" href={`${portal.authUrl}${oauthPaths.device}`}>
              Enter a device’s code
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
                  'Calls',
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
    {access.client_host !== null && ` of ${access.client_host}`}
  </a>,
  access.kind,
  ...(call.member.role === 'owner' ? [access.person_name] : []),
  shortScopes(access.scopes),
  access.calls,
  <TimeOrNever at={access.last_used_at} never="never" />,
  <Time at={access.since} />,
]

const Nothing = ({ portal, call }: { portal: PortalContext; call: MemberCall }) =>
  call.mode === 'live' ? (
    <Empty title="None in live mode">
      <p>
        Agents and devices act in test mode only, so none of them reaches a patient. The list is in
        test mode.
      </p>
    </Empty>
  ) : (
    <Empty title="No agent and no device yet">
      <p>
        <a href={`${portal.site.url}/docs/tool-server`}>Add the tool server to an agent</a> such as
        an editor: it registers itself, and asks you in the browser. A device shows a code, which
        you enter. <a href={`${portal.site.url}/docs/oauth`}>How both get tokens</a>
      </p>
    </Empty>
  )
