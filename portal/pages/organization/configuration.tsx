// An account's configuration as JSON, to keep or compare. The JSON contains no secrets and no
// patient data.
import { modes, type Mode } from '#contract/operation.ts'
import { listMembers } from '#auth/accounts/members.ts'
import { listGrants } from '#auth/grants/grants.ts'
import { listIntegrationClients } from '#auth/integration-clients.ts'
import { listIntegrationKeys } from '#auth/integration-keys.ts'
import { findIntegrationSettings } from '#auth/integration-settings.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { Copyable, Heading } from '#http/html/parts.tsx'

const configuration: PortalHandler = async (portal, call) => {
  const { integration } = call.member
  const [found, members] = await portal.pool.use(async connection => [
    await findIntegrationSettings(connection, integration),
    await listMembers(connection, integration),
  ])
  const text = JSON.stringify(
    {
      integration: { id: integration, ...found },
      members: members.map(({ name, email, role, since }) => ({ name, email, role, since })),
      ...Object.fromEntries(
        await Promise.all(
          modes.map(async mode => [mode, await configurationOf(portal, call, mode)] as const),
        ),
      ),
    },
    null,
    2,
  )
  return {
    title: 'Configuration',
    content: (
      <>
        <Heading
          title="Configuration"
          lead="Your account’s setup in both modes, without secrets. Null means no clinic has granted you access to that item."
        />
        <Copyable label="Configuration" text={text} />
        <p class="actions">
          <a class="button second" href={call.pathOf('settings')}>
            Settings
          </a>
        </p>
      </>
    ),
  }
}

async function configurationOf({ pool }: PortalContext, call: MemberCall, mode: Mode) {
  const { integration } = call.member
  const [grants, keys, clients, endpoints, destinations] = await Promise.all([
    pool.use(connection => listGrants(connection, { integration, mode })),
    listIntegrationKeys(pool, integration, mode),
    listIntegrationClients(pool, integration, mode),
    listAll(call, mode, 'listWebhookEndpoints'),
    listAll(call, mode, 'listDestinations'),
  ])
  return {
    grants: grants.map(({ id, organization, organization_name, status, scopes }) => ({
      id,
      organization,
      organization_name,
      status,
      scopes,
    })),
    keys: keys
      .filter(({ status }) => status === 'active' || status === 'retiring')
      .map(({ id, name, last4, scopes, organization, status, created_at, expires_at }) => ({
        id,
        name,
        last4,
        scopes,
        organization,
        status,
        created_at,
        expires_at,
      })),
    clients: clients
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, name, scopes, organization, created_at }) => ({
        id,
        name,
        scopes,
        organization,
        created_at,
      })),
    webhook_endpoints: endpoints,
    destinations,
  }
}

/** Null if the mode isn't open to the account, or if no clinic granted the scope. */
async function listAll(
  call: MemberCall,
  mode: Mode,
  operation: 'listWebhookEndpoints' | 'listDestinations',
) {
  const { problem, ...listed } = await callForIntegration(call, operation, {
    mode,
    query: { limit: '100' },
  })
  return problem === null && 'value' in listed ? listed.value.data : null
}

export const configurationHandlers = { configuration } satisfies Record<string, PortalHandler>
