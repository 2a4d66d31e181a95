// One key: its permissions, its use, and how to revoke it.
import { isId, prefixes } from '#contract/ids.ts'
import { revokeKeyOf } from '#auth/administration.ts'
import { findIntegrationKey, type IntegrationKey } from '#auth/integration-keys.ts'
import { listOperationUses } from '#auth/operation-uses.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Confirm, Facts, Heading, Id, Missing, Time, TimeOrNever } from '#http/html/parts.tsx'
import { ScopeList } from '#http/html/scope-parts.tsx'
import { adviceFor } from './advice.ts'
import { isWorking, KeyStatus, shownKey } from './keys.tsx'
import { mayChange } from './may-change.ts'
import { Narrower, scopesParameter } from './narrower.tsx'
import { Uses } from './uses.tsx'

/** The key in the path, if this account has it in this mode. */
export const keyOfPath = async (
  { pool }: PortalContext,
  { names, member, mode }: MemberCall,
): Promise<IntegrationKey | null> => {
  const id = names['id'] ?? ''
  return isId(prefixes.key, id) ? findIntegrationKey(pool, member.integration, mode, id) : null
}

export const noSuchKey = (call: MemberCall): PageAnswer => ({
  title: 'Key not found',
  status: 404,
  content: (
    <Missing title="Key not found" href={call.pathOf('keys')} back="Keys">
      Check the URL, or look in the other mode.
    </Missing>
  ),
})

export const showKey: PortalHandler = async (portal, call) => {
  const key = await keyOfPath(portal, call)
  if (key === null) return noSuchKey(call)
  const uses = await listOperationUses(portal.pool, [key.id])
  const advice = adviceFor(key.scopes, uses, portal.now())
  return {
    title: key.name,
    content: (
      <>
        <Heading
          title={key.name}
          lead={<code>{shownKey(call, key)}</code>}
          action={
            key.status === 'active' && mayChange(call) ? (
              <a class="button" href={call.pathOf('keyRotation', { id: key.id })}>
                Rotate key
              </a>
            ) : undefined
          }
        />
        <Facts of={factsOf(call, key)} />
        <section>
          <h2>Permissions</h2>
          <ScopeList of={key.scopes} />
        </section>
        {advice !== null && key.status === 'active' && mayChange(call) && (
          <Narrower
            advice={advice}
            href={call.pathOf(
              'keyRotation',
              { id: key.id },
              { scopes: scopesParameter(advice.used) },
            )}
            label="Rotate to narrower key"
          />
        )}
        <Uses
          of={uses}
          log={call.pathOf(
            'requests',
            {},
            { credential: key.id, organization: key.organization ?? undefined },
          )}
        />
        {isWorking(key) && mayChange(call) && <Ending call={call} of={key} />}
      </>
    ),
  }
}

const factsOf = (call: MemberCall, key: IntegrationKey) =>
  [
    ['Status', <KeyStatus of={key} />],
    ...(key.replaced_by === null
      ? []
      : [
          [
            'Replaced by',
            <a href={call.pathOf('key', { id: key.replaced_by })}>Newer key</a>,
          ] as const,
        ]),
    ['Clinic', key.organization_name ?? 'All clinics that grant access'],
    ['Created', <Created of={key} />],
    ['Last used', <TimeOrNever at={key.last_used_at} never="Never" />],
    key.revoked_at === null
      ? (['Expires', <TimeOrNever at={key.expires_at} never="Never" />] as const)
      : (['Revoked', <Revoked at={key.revoked_at} reason={key.revoked_reason} />] as const),
    ['ID', <Id of={key.id} />],
  ] as const

const Created = ({ of: key }: { of: IntegrationKey }) => (
  <>
    <Time at={key.created_at} /> by {key.created_by_name ?? 'the operator'}
  </>
)

const Revoked = ({ at, reason }: { at: string; reason: IntegrationKey['revoked_reason'] }) => (
  <>
    <Time at={at} />
    {reason === 'reported' && ' after it was reported as leaked'}
  </>
)

/** A retiring key can be retired early. */
const Ending = ({ call, of: key }: { call: MemberCall; of: IntegrationKey }) => {
  const isRetiring = key.status === 'retiring'
  return (
    <section>
      <h2>Revoke key</h2>
      <p>
        {isRetiring
          ? 'Revoke this key once your servers use the new one.'
          : 'For a key that leaked or that you no longer need. To replace it without downtime, rotate it.'}
      </p>
      <Confirm
        call={call}
        path={call.pathOf('revokeKey', { id: key.id })}
        label="Revoke key"
        question="Requests with this key are refused right away. You can’t undo this."
        action="Revoke key"
      />
    </section>
  )
}

export const revoke: PortalHandler = async (portal, call) => {
  const key = await keyOfPath(portal, call)
  if (key === null) return noSuchKey(call)
  // Revoking twice isn't an error.
  await portal.pool.use(connection =>
    revokeKeyOf(connection, key.id, call.member.integration, call.act),
  )
  return { redirect: call.pathOf('key', { id: key.id }), toast: { text: 'Key revoked' } }
}
