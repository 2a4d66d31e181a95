// An integration's OAuth clients: servers that exchange a secret for access tokens.
import { type IntegrationClient, listIntegrationClients } from '#auth/integration-clients.ts'
import type { PortalHandler } from '../../context.ts'
import { AgoOrNever, Badge, Empty, Heading, Id, Table } from '#http/html/parts.tsx'
import type { MemberCall } from '../../context.ts'
import { CredentialList } from './credential-list.tsx'
import { mayChange, whoMayCreate } from './may-change.ts'
import { shortScopes } from './short-scopes.ts'

export const showClients: PortalHandler = async ({ pool, site }, call) => {
  const clients = await listIntegrationClients(pool, call.member.integration, call.mode)
  const create = mayChange(call) ? (
    <a class="button" href={call.pathOf('newClient')}>
      New client
    </a>
  ) : undefined
  return {
    title: 'OAuth clients',
    content: (
      <>
        <Heading
          title="OAuth clients"
          lead="A client exchanges its secret for one-hour access tokens, so no long-lived key travels with each request."
          action={clients.length > 0 ? create : undefined}
        />
        {clients.length === 0 ? (
          <Empty title="No clients yet">
            <p>
              For servers that shouldn’t send a key with every request.{' '}
              <a href={`${site.url}/docs/oauth`}>How servers get tokens</a>
            </p>
            {create ?? <p>{whoMayCreate(call, 'clients')}</p>}
          </Empty>
        ) : (
          <CredentialList
            call={call}
            row="clients"
            items={clients}
            isWorking={client => client.revoked_at === null}
          >
            {shown => (
              <Table
                caption="OAuth clients"
                head={['Name', 'Status', 'Scopes', 'Clinic', 'Secrets', 'Last token']}
                rows={shown.map(client => rowOf(call, client))}
              />
            )}
          </CredentialList>
        )}
      </>
    ),
  }
}

export const ClientStatus = ({ of: { revoked_at: revoked } }: { of: IntegrationClient }) => (
  <Badge tone={revoked === null ? 'good' : 'plain'}>
    {revoked === null ? 'Active' : 'Revoked'}
  </Badge>
)

const rowOf = (call: MemberCall, client: IntegrationClient) => [
  <>
    <a href={call.pathOf('client', { id: client.id })}>
      <strong>{client.name}</strong>
    </a>
    <div>
      <Id of={client.id} />
    </div>
  </>,
  <ClientStatus of={client} />,
  shortScopes(client.scopes),
  client.organization_name ?? <span class="quiet">All</span>,
  client.revoked_at === null ? client.secrets.length : 0,
  <AgoOrNever at={client.last_token_at} never="Never" />,
]
