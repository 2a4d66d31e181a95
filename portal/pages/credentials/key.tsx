// One key: what it may do, who made it, when it was used, and its end.
import { isId, prefixes } from '#contract/ids.ts'
import { revokeKeyOf } from '#auth/administration.ts'
import { findIntegrationKey, type IntegrationKey } from '#auth/integration-keys.ts'
import { listOperationUses } from '#auth/operation-uses.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import {
  Confirm,
  Facts,
  Heading,
  Missing,
  ScopeList,
  Time,
  TimeOrNever,
} from '#http/html/parts.tsx'
import { adviceFor } from './advice.ts'
import { isWorking, KeyState, shownKey } from './keys.tsx'
import { mayChange } from './may-change.ts'
import { Narrower, scopesParameter } from './narrower.tsx'
import { Uses } from './uses.tsx'

/** The key of the path, if it is one of this integration in this mode. */
export const keyOfPath = async (
  { pool }: PortalContext,
  { names, member, mode }: MemberCall,
): Promise<IntegrationKey | null> => {
  const id = names['id'] ?? ''
  return isId(prefixes.key, id) ? findIntegrationKey(pool, member.integration, mode, id) : null
}

export const noSuchKey = (call: MemberCall): PageAnswer => ({
  title: 'No such key',
  status: 404,
  content: (
    <Missing title="There is no such key" href={call.pathOf('keys')} back="Keys">
      It may be of the other mode or of another integration, or the address is mistyped.
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
                Rotate
              </a>
            ) : undefined
          }
        />
        <Facts of={factsOf(call, key)} />
        <section>
          <h2>What it may do</h2>
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
            label="Rotate to a narrower key"
          />
        )}
        <Uses of={uses} log={call.pathOf('requests', {}, { credential: key.id })} />
        {isWorking(key) && mayChange(call) && <Ending call={call} of={key} />}
      </>
    ),
  }
}

const factsOf = (call: MemberCall, key: IntegrationKey) =>
  [
    ['State', <KeyState of={key} />],
    ...(key.replaced_by === null
      ? []
      : [
          [
            'Replaced by',
            <a href={call.pathOf('key', { id: key.replaced_by })}>its successor</a>,
          ] as const,
        ]),
    ['Organization', key.organization_name ?? 'Every organization that grants access'],
    ['Created', <Created of={key} />],
    ['Last used', <TimeOrNever at={key.last_used_at} never="Never" />],
    key.revoked_at === null
      ? (['Ends', <TimeOrNever at={key.expires_at} never="Never" />] as const)
      : (['Revoked', <Revoked at={key.revoked_at} reason={key.revoked_reason} />] as const),
    ['Id', <code>{key.id}</code>],
  ] as const

const Created = ({ of: key }: { of: IntegrationKey }) => (
  <>
    <Time at={key.created_at} /> by {key.created_by_name ?? 'the operator'}
  </>
)

const Revoked = ({ at, reason }: { at: string; reason: IntegrationKey['revoked_reason'] }) => (
  <>
    <Time at={at} />
    {reason === 'reported' && ', because it was reported as leaked'}
  </>
)

/** One that retires can end early; any other ends for good. */
const Ending = ({ call, of: key }: { call: MemberCall; of: IntegrationKey }) => {
  const isRetiring = key.status === 'retiring'
  return (
    <section>
      <h2>{isRetiring ? 'Retire it now' : 'Revoke it'}</h2>
      <p>
        {isRetiring
          ? 'Once your servers use the successor, there is no reason to wait.'
          : 'For a key that leaked or is not needed. To replace one without a pause, rotate it.'}
      </p>
      <Confirm
        call={call}
        path={call.pathOf('revokeKey', { id: key.id })}
        label={isRetiring ? 'Retire now' : 'Revoke'}
        question="The next call with this key is refused. This cannot be undone."
        action={isRetiring ? 'Retire this key' : 'Revoke this key'}
      />
    </section>
  )
}

export const revoke: PortalHandler = async (portal, call) => {
  const key = await keyOfPath(portal, call)
  if (key === null) return noSuchKey(call)
  // One that is revoked already is what was asked for.
  await portal.pool.use(connection =>
    revokeKeyOf(connection, key.id, call.member.integration, call.act),
  )
  return { redirect: call.pathOf('key', { id: key.id }) }
}
