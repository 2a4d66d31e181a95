// The OAuth clients of an integration: servers that get access tokens by a secret.
import { type IntegrationClient, listIntegrationClients } from '#auth/integration-clients.ts'
import type { PortalHandler } from '../../context.ts'
import { Badge, Empty, Heading, Table, TimeOrNever } from '#http/html/parts.tsx'
import type { MemberCall } from '../../context.ts'
import { CredentialList } from './credential-list.tsx'
import { mayChange } from './may-change.ts'
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
          lead="A client gets access tokens of an hour by its secret, so that no long-lived key is on the way with each call."
          action={clients.length > 0 ? create : undefined}
        />
        {clients.length === 0 ? (
          <Empty title="No client yet">
            <p>
              A client is for a server that should not send a key with each call.{' '}
              <a href={`${site.url}/docs/oauth`}>How a server gets a token</a>
            </p>
            {create}
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
                head={['Name', 'State', 'Scopes', 'Organization', 'Secrets', 'Last token']}
                rows={shown.map(client => rowOf(call, client))}
              />
            )}
          </CredentialList>
        )}
      </>
    ),
  }
}

export const ClientState = ({ of: { revoked_at: revoked } }: { of: IntegrationClient }) => (
  <Badge tone={revoked === null ? 'good' : 'plain'}>
    {revoked === null ? 'active' : 'revoked'}
  </Badge>
)

const rowOf = (call: MemberCall, client: IntegrationClient) => [
  <>
    <a href={call.pathOf('client', { id: client.id })}>
      <strong>{client.name}</strong>
    </a>
    <br />
    <code>{client.id}</code>
  </>,
  <ClientState of={client} />,
  shortScopes(client.scopes),
  client.organization_name ?? <span class="quiet">any</span>,
  client.revoked_at === null ? client.secrets.length : 0,
  <TimeOrNever at={client.last_token_at} never="never" />,
]
