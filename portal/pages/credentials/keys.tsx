// An integration's keys.
import { type IntegrationKey, listIntegrationKeys } from '#auth/integration-keys.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { AgoOrNever, Badge, Empty, Heading, Table, TimeOrNever } from '#http/html/parts.tsx'
import { CredentialList } from './credential-list.tsx'
import { mayChange, whoMayCreate } from './may-change.ts'
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
              ? 'Test keys reach your sandbox and its synthetic patients.'
              : 'Live keys reach real patients. They work while your agreement and a clinic’s grant are active.'
          }
          action={keys.length > 0 ? create : undefined}
        />
        {keys.length === 0 ? (
          <Empty title="No keys yet">
            <p>Your server sends a key with each API request. You’ll see it only once.</p>
            {create ?? <p>{whoMayCreate(call, 'keys')}</p>}
          </Empty>
        ) : (
          <CredentialList call={call} row="keys" items={keys} isWorking={isWorking}>
            {shown => (
              <Table
                caption="Keys"
                head={['Name', 'Status', 'Scopes', 'Clinic', 'Last used', 'Expires']}
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

const labels = {
  active: 'Active',
  retiring: 'Expiring',
  retired: 'Replaced',
  expired: 'Expired',
  revoked: 'Revoked',
} as const

export const KeyStatus = ({ of: { status } }: { of: IntegrationKey }) => (
  <Badge tone={tones[status]}>{labels[status]}</Badge>
)

/** The part of a key that can be shown. */
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
  <KeyStatus of={key} />,
  shortScopes(key.scopes),
  key.organization_name ?? <span class="quiet">All</span>,
  <AgoOrNever at={key.last_used_at} never="Never" />,
  <TimeOrNever at={key.revoked_at ?? key.expires_at} never="Never" />,
]
