// The keys of an integration.
import { type IntegrationKey, listIntegrationKeys } from '#auth/integration-keys.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Badge, Empty, Heading, Table, TimeOrNever } from '#http/html/parts.tsx'
import { CredentialList } from './credential-list.tsx'
import { mayChange } from './may-change.ts'
import { shortScopes } from './short-scopes.ts'

export const showKeys: PortalHandler = async ({ pool }, call) => {
  const keys = await listIntegrationKeys(pool, call.member.integration, call.mode)
  const create = mayChange(call) ? (
    <a class="button" href={call.pathOf('newKey')}>
      New key
    </a>
  ) : undefined
  return {
    title: 'Keys',
    content: (
      <>
        <Heading
          title="Keys"
          lead={
            call.mode === 'test'
              ? 'A key of test mode reaches the sandbox, where every patient is invented.'
              : 'A key of live mode reaches real patients. It works while the agreement and a clinic’s grant are in force.'
          }
          action={keys.length > 0 ? create : undefined}
        />
        {keys.length === 0 ? (
          <Empty title="No key yet">
            <p>A key is what your server calls the API with. It is shown once, when it is made.</p>
            {create}
          </Empty>
        ) : (
          <CredentialList call={call} row="keys" items={keys} isWorking={isWorking}>
            {shown => (
              <Table
                caption="Keys"
                head={['Name', 'State', 'Scopes', 'Organization', 'Last used', 'Ends']}
                rows={shown.map(key => rowOf(call, key))}
              />
            )}
          </CredentialList>
        )}
      </>
    ),
  }
}

export const isWorking = ({ status }: IntegrationKey) =>
  status === 'active' || status === 'retiring'

const tones = {
  active: 'good',
  retiring: 'waiting',
  retired: 'plain',
  expired: 'plain',
  revoked: 'plain',
} as const

export const KeyState = ({ of: { status } }: { of: IntegrationKey }) => (
  <Badge tone={tones[status]}>{status}</Badge>
)

/** What of a key may be shown. */
export const shownKey = ({ mode }: Pick<MemberCall, 'mode'>, { last4 }: IntegrationKey): string =>
  `svc_sk_${mode}_…${last4}`

const rowOf = (call: MemberCall, key: IntegrationKey) => [
  <>
    <a href={call.pathOf('key', { id: key.id })}>
      <strong>{key.name}</strong>
    </a>
    <br />
    <code>{shownKey(call, key)}</code>
  </>,
  <KeyState of={key} />,
  shortScopes(key.scopes),
  key.organization_name ?? <span class="quiet">any</span>,
  <TimeOrNever at={key.last_used_at} never="never" />,
  <TimeOrNever at={key.revoked_at ?? key.expires_at} never="never" />,
]
