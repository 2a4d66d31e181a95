// One OAuth client: its secrets, its active tokens, and how to revoke it.
import { isId, prefixes } from '#contract/ids.ts'
import type { Scope } from '#contract/scopes.ts'
import { endClientTokens, revokeClient, revokeClientSecret } from '#auth/administration.ts'
import {
  countLiveTokens,
  findIntegrationClient,
  type IntegrationClient,
  type LiveTokens,
} from '#auth/integration-clients.ts'
import { listOperationUses } from '#auth/operation-uses.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import {
  Confirm,
  Facts,
  Heading,
  Id,
  Missing,
  Table,
  Time,
  TimeOrNever,
} from '#http/html/parts.tsx'
import { ScopeList } from '#http/html/scope-parts.tsx'
import { adviceFor } from './advice.ts'
import { ClientStatus } from './clients.tsx'
import { mayChange } from './may-change.ts'
import { Narrower, scopesParameter } from './narrower.tsx'
import { Uses } from './uses.tsx'

/** The client in the path, if this account has it in this mode. */
export const clientOfPath = async (
  { pool }: PortalContext,
  { names, member, mode }: MemberCall,
): Promise<IntegrationClient | null> => {
  const id = names['id'] ?? ''
  return isId(prefixes.client, id)
    ? findIntegrationClient(pool, member.integration, mode, id)
    : null
}

export const noSuchClient = (call: MemberCall): PageAnswer => ({
  title: 'Client not found',
  status: 404,
  content: (
    <Missing title="Client not found" href={call.pathOf('clients')} back="OAuth clients">
      Check the URL, or look in the other mode.
    </Missing>
  ),
})

export const showClient: PortalHandler = async (portal, call) => {
  const client = await clientOfPath(portal, call)
  if (client === null) return noSuchClient(call)
  const tokens = await countLiveTokens(portal.pool, client.family)
  const uses = await listOperationUses(portal.pool, [client.family])
  const advice = adviceFor(client.scopes, uses, portal.now())
  const isChangeable = client.revoked_at === null && mayChange(call)
  return {
    title: client.name,
    content: (
      <>
        <Heading title={client.name} lead={<Id of={client.id} />} />
        <Facts of={factsOf(client, tokens)} />
        <section>
          <h2>Permissions</h2>
          <ScopeList of={client.scopes} />
        </section>
        {advice !== null && isChangeable && (
          <Narrower
            advice={advice}
            href={call.pathOf('newClient', {}, narrowerOf(client, advice.used))}
            label="Create narrower client"
          />
        )}
        {client.revoked_at === null && (
          <Secrets call={call} of={client} isChangeable={isChangeable} />
        )}
        <Uses
          of={uses}
          log={call.pathOf(
            'requests',
            {},
            { client: client.id, organization: client.organization ?? undefined },
          )}
        />
        {isChangeable && <Ending call={call} of={client} tokens={tokens} />}
      </>
    ),
  }
}

/** A client's scopes can't change, so its narrower successor is a new client. */
const narrowerOf = ({ name, organization }: IntegrationClient, used: readonly Scope[]) => ({
  name,
  organization: organization ?? undefined,
  scopes: scopesParameter(used),
})

const factsOf = (client: IntegrationClient, tokens: LiveTokens) =>
  [
    ['Status', <ClientStatus of={client} />],
    ['Clinic', client.organization_name ?? 'All clinics that grant access'],
    ['Created', <Time at={client.created_at} />],
    ...(client.revoked_at === null
      ? [['Active tokens', tokens.count] as const]
      : [['Revoked', <Time at={client.revoked_at} />] as const]),
    ['Last token issued', <TimeOrNever at={client.last_token_at} never="Never" />],
    ['Token last used', <TimeOrNever at={tokens.last_used_at} never="Never" />],
  ] as const

const secretsMax = 2

type SecretsProps = { call: MemberCall; of: IntegrationClient; isChangeable: boolean }

const Secrets = ({ call, of: { id, secrets }, isChangeable }: SecretsProps) => (
  <section>
    <h2>Secrets</h2>
    <p>Up to two secrets, so you can replace one without downtime.</p>
    {secrets.length === 0 ? (
      <p class="quiet">No secrets. This client can’t get tokens.</p>
    ) : (
      <Table
        caption="Secrets"
        head={['Secret', 'Created', '']}
        rows={secrets.map(secret => [
          <code>{`svc_cs_…${secret.last4}`}</code>,
          <Time at={secret.created_at} />,
          isChangeable && (
            <Confirm
              call={call}
              path={call.pathOf('revokeSecret', { id, secret: secret.id })}
              label="Revoke"
              question="This secret can no longer get tokens. Existing tokens work until they expire."
              action="Revoke secret"
            />
          ),
        ])}
      />
    )}
    {isChangeable && secrets.length < secretsMax && (
      <p class="actions">
        <a class="button second" href={call.pathOf('newSecret', { id })}>
          Add secret
        </a>
      </p>
    )}
  </section>
)

const Ending = (props: { call: MemberCall; of: IntegrationClient; tokens: LiveTokens }) => {
  const { call, of: client, tokens } = props
  const names = { id: client.id }
  return (
    <section>
      <h2>Revoke access</h2>
      <p>If a secret leaked, revoke it above, then revoke its tokens.</p>
      <div class="row-actions">
        {tokens.count > 0 && (
          <Confirm
            call={call}
            path={call.pathOf('endTokens', names)}
            label="Revoke all tokens"
            question={`${tokens.count === 1 ? 'The active token stops' : `All ${tokens.count} active tokens stop`} working right away. The client can get new ones.`}
            action="Revoke all tokens"
          />
        )}
        <Confirm
          call={call}
          path={call.pathOf('revokeClient', names)}
          label="Revoke client"
          question="Its secrets and tokens stop working right away. You can’t undo this."
          action="Revoke client"
        />
      </div>
    </section>
  )
}

type Change = (
  call: MemberCall,
  client: IntegrationClient,
  connection: Parameters<typeof revokeClient>[0],
) => Promise<unknown>

/** Revoking twice isn't an error. */
const ending =
  (text: string, change: Change): PortalHandler =>
  async (portal, call) => {
    const client = await clientOfPath(portal, call)
    if (client === null) return noSuchClient(call)
    await portal.pool.use(connection => change(call, client, connection))
    return { redirect: call.pathOf('client', { id: client.id }), toast: { text } }
  }

export const endTokens = ending('Tokens revoked', ({ member, act }, client, connection) =>
  endClientTokens(connection, client.id, member.integration, act),
)

export const revoke = ending('Client revoked', ({ member, act }, client, connection) =>
  revokeClient(connection, client.id, member.integration, act),
)

/** Revokes only the client's own secrets, because another client's may be in the other mode. */
export const revokeSecret = ending(
  'Secret revoked',
  async ({ names, member, act }, { secrets }, connection) => {
    const secret = secrets.find(({ id }) => id === names['secret'])
    if (secret === undefined) return
    await revokeClientSecret(connection, secret.id, member.integration, act)
  },
)
