// The keys, clients, agents and devices that send requests, for the filters and rows of the log.
import { namesOfActors } from '#auth/actor-names.ts'
import { listIntegrationClients } from '#auth/integration-clients.ts'
import { listIntegrationKeys } from '#auth/integration-keys.ts'
import type { ApiResult, MemberCall, PortalContext } from '../../context.ts'
import { listVisible } from '../credentials/access.tsx'

const isOwner = ({ member }: MemberCall) => member.role === 'owner'

/** Members choose among their own agents; owners choose among all. */
export async function actorsOf(portal: PortalContext, call: MemberCall) {
  const { integration } = call.member
  const [keys, clients, agents] = await Promise.all([
    listIntegrationKeys(portal.pool, integration, call.mode),
    listIntegrationClients(portal.pool, integration, call.mode),
    listVisible(portal, call),
  ])
  return {
    keys,
    clients: new Map([
      ...agents.map(({ client, client_name: name }) => [client, `“${name}”`] as const),
      ...clients.map(({ id, name }) => [id, name] as const),
    ]),
    persons: new Map(
      isOwner(call) ? agents.map(({ person, person_name: name }) => [person, name] as const) : [],
    ),
  }
}

/** Names of the clients and people in the list. Only owners see other members' names. */
export function namesIn(
  { pool }: PortalContext,
  call: MemberCall,
  found: ApiResult<'listNewestRequests'>,
): Promise<ReadonlyMap<string, string>> {
  const rows = found.problem === null ? found.value.data : []
  return namesOfActors(
    pool,
    rows.flatMap(({ client, person }) => [
      client,
      isOwner(call) || person === call.session.person.id ? person : null,
    ]),
  )
}
