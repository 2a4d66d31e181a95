// One agent or device: its permissions, its activity, and how to revoke its access.
import { endMemberAccess } from '#auth/administration.ts'
import type { MemberAccess } from '#auth/integration-access.ts'
import { listOperationUses } from '#auth/operation-uses.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Confirm, Facts, Heading, Id, Missing, Time, TimeOrNever } from '#http/html/parts.tsx'
import { ScopeList } from '#http/html/scope-parts.tsx'
import { listVisible } from './access.tsx'
import { AgentCallTable, countAgentCalls } from './agent-calls.tsx'
import { Uses } from './uses.tsx'

const accessOfPath = async (
  portal: PortalContext,
  call: MemberCall,
): Promise<MemberAccess | undefined> => {
  const { client, person, kind } = call.names
  const all = await listVisible(portal, call)
  return all.find(one => one.client === client && one.person === person && one.kind === kind)
}

const noSuchAccess = (call: MemberCall): PageAnswer => ({
  title: 'Agent or device not found',
  status: 404,
  content: (
    <Missing
      title="Agent or device not found"
      href={call.pathOf('access')}
      back="Agents and devices"
    >
      Its access may have been revoked, or it acts for another member.
    </Missing>
  ),
})

export const showMemberAccess: PortalHandler = async (portal, call) => {
  const access = await accessOfPath(portal, call)
  if (access === undefined) return noSuchAccess(call)
  const { client, person, kind } = access
  const calls = await countAgentCalls(call, { client, person })
  const uses = calls === null ? await listOperationUses(portal.pool, access.families) : []
  return {
    title: `“${access.client_name}”`,
    content: (
      <>
        <Heading
          title={`“${access.client_name}”`}
          lead={
            access.client_host === null
              ? 'This program chose its own name. Other programs can use the same one.'
              : `${access.client_host} gave it this name. Other programs can use the same one.`
          }
        />
        <Facts of={factsOf(access)} />
        <section>
          <h2>Permissions</h2>
          <ScopeList of={access.scopes} />
        </section>
        {calls === null ? (
          <Uses of={uses} />
        ) : (
          <AgentCallTable call={call} filter={{ client, person }} of={calls} />
        )}
        <section>
          <h2>Revoke access</h2>
          <Confirm
            call={call}
            path={call.pathOf('endAccess', { client, person, kind })}
            label="Revoke access"
            question={`Its requests for ${access.person_name} are refused right away. It can ask for access again.`}
            action={'Revoke access'}
          />
        </section>
      </>
    ),
  }
}

const factsOf = (access: MemberAccess) =>
  [
    ['Kind', access.kind === 'agent' ? 'Agent' : 'Device'],
    ['Acts for', `${access.person_name}, ${access.person_email}`],
    ...(access.client_host === null ? [] : [['Described at', access.client_host] as const]),
    ...(access.hosts === null ? [] : [['Redirects to', access.hosts] as const]),
    ['Since', <Time at={access.since} />],
    ['Last used', <TimeOrNever at={access.last_used_at} never="Never" />],
    ['Client ID', <Id of={access.client} />],
  ] as const

export const endAccess: PortalHandler = async (portal, call) => {
  const access = await accessOfPath(portal, call)
  if (access === undefined) return noSuchAccess(call)
  const { client, person, kind } = access
  const { integration } = call.member
  // Revoking twice isn't an error.
  await portal.pool.use(connection =>
    endMemberAccess(connection, { client, person, integration, kind }, call.act),
  )
  return { redirect: call.pathOf('access'), toast: { text: 'Access revoked' } }
}
