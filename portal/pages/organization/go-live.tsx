// What live mode needs, as a list that ticks itself, and the agreements that were accepted.
import { limits } from '#contract/limits.ts'
import {
  type AgreementRow,
  findLiveConditions,
  listAgreements,
  type LiveConditions,
} from '#auth/agreements/agreements.ts'
import {
  type EncryptionStatement,
  listEncryptionStatements,
} from '#auth/operators/encryption-statements.ts'
import type { ComponentChildren } from 'preact'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Badge, Facts, Heading, StepMark, Table, Time } from '#http/html/parts.tsx'

export type Condition = {
  readonly title: string
  readonly isDone: boolean
  readonly text: ComponentChildren
  readonly action?: ComponentChildren
}

/** The four conditions of live mode, and the agreements of the integration. */
export async function liveConditionsOf(portal: PortalContext, call: MemberCall) {
  const { integration } = call.member
  const [agreements, conditions] = await portal.pool.use(async connection => [
    await listAgreements(connection, integration),
    await findLiveConditions(connection, integration),
  ])
  const inForce = agreements.find(one => one.is_in_force)
  const steps: Condition[] = [
    agreementStep(portal, call, inForce),
    grantStep(call, conditions),
    keyStep(call, conditions, inForce !== undefined),
    callStep(portal, conditions),
  ]
  return { agreements, inForce, steps }
}

const goLive: PortalHandler = async (portal, call) => {
  const { agreements, inForce, steps } = await liveConditionsOf(portal, call)
  const [encryption] = await portal.pool.use(listEncryptionStatements)
  const done = steps.filter(({ isDone }) => isDone).length
  return {
    title: 'Go live',
    content: (
      <>
        <Heading
          title="Go live"
          lead={
            done === steps.length
              ? 'You are live: calls with a live key reach real patients.'
              : `Live mode needs four things, and ${['none', 'one', 'two', 'three'][done]} of them ${done < 2 ? 'is' : 'are'} there. Each ticks itself.`
          }
        />
        <Superseded portal={portal} call={call} inForce={inForce} />
        <section>
          <ol class="steps">
            {steps.map(step => (
              <ConditionItem key={step.title} {...step} />
            ))}
          </ol>
        </section>
        {encryption !== undefined && <Encryption {...encryption} />}
        {agreements.length > 0 && (
          <section>
            <h2>Agreements</h2>
            <Table
              caption="Agreements"
              head={['Version', 'State', 'Accepted', 'By', 'Ended']}
              rows={agreements.map(agreement => rowOf(call, agreement))}
            />
          </section>
        )}
      </>
    ),
  }
}

/** For the security packet that a clinic asks for. */
const Encryption = ({ stated_at: at, stated_by: by, volume, backups }: EncryptionStatement) => (
  <section>
    <h2>Encryption at rest</h2>
    <Facts
      of={[
        ['Volume', volume],
        ['Backups', backups],
        ['Stated by', by],
        ['Stated', <Time at={at} />],
      ]}
    />
  </section>
)

const ConditionItem = ({ title, isDone, text, action }: Condition) => (
  <li class={isDone ? 'done' : undefined}>
    <StepMark isDone={isDone} />
    <div>
      <strong>{title}</strong>
      <p class="quiet">{text}</p>
      {!isDone && action !== undefined && <p class="actions">{action}</p>}
    </div>
  </li>
)

const isOwner = ({ member }: MemberCall) => member.role === 'owner'

const Action = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class="button second small" href={href}>
    {children}
  </a>
)

function agreementStep(
  { agreement }: PortalContext,
  call: MemberCall,
  inForce: AgreementRow | undefined,
): Condition {
  return {
    title: 'The business associate agreement is in force',
    isDone: inForce !== undefined,
    text:
      inForce === undefined ? (
        `An owner reads version ${agreement.version} and accepts it with name and title.`
      ) : (
        <>
          Version {inForce.version}, accepted on <Time at={inForce.accepted_at} />.
        </>
      ),
    action: (
      <Action href={call.pathOf(isOwner(call) ? 'newAcceptance' : 'agreement')}>
        {isOwner(call) ? 'Read and accept' : 'Read it'}
      </Action>
    ),
  }
}

const live = { mode: 'live' } as const

const grantStep = (
  call: MemberCall,
  { has_grant, has_pending_grant }: LiveConditions,
): Condition => ({
  title: 'A clinic granted access',
  isDone: has_grant,
  text: has_grant
    ? 'At least one clinic grants you scopes in live mode.'
    : has_pending_grant
      ? 'A clinic was asked and has not decided yet.'
      : 'A clinic that wants to work with you tells you its id; an owner asks it for scopes.',
  action: (
    <Action
      href={call.pathOf(
        isOwner(call) && !has_pending_grant ? 'newGrantRequest' : 'organizations',
        live,
      )}
    >
      {has_pending_grant ? 'See the request' : isOwner(call) ? 'Request access' : 'Organizations'}
    </Action>
  ),
})

const keyStep = (
  call: MemberCall,
  { has_key, has_grant }: LiveConditions,
  isAgreed: boolean,
): Condition => ({
  title: 'There is a live key',
  isDone: has_key,
  text: has_key
    ? 'A key or a client of live mode can call the API.'
    : 'An owner makes one after the agreement and a grant. Give it the fewest scopes that do.',
  action:
    isOwner(call) && isAgreed && has_grant ? (
      <Action href={call.pathOf('newKey', live)}>Make a live key</Action>
    ) : undefined,
})

const callStep = (
  { api }: PortalContext,
  { has_key, last_call_at: last }: LiveConditions,
): Condition => ({
  title: 'The first live call was made',
  isDone: last !== null,
  text:
    last !== null ? (
      <>
        The latest was on <Time at={last} />.
      </>
    ) : has_key ? (
      <>
        With the live key: <code>curl {api}/v1/organization</code> says which clinic it is for.
      </>
    ) : (
      'The first call with the live key ticks this.'
    ),
})

type SupersededProps = {
  readonly portal: PortalContext
  readonly call: MemberCall
  readonly inForce: AgreementRow | undefined
}

/** A newer version waits to be accepted. */
const Superseded = ({ portal, call, inForce }: SupersededProps) =>
  inForce === undefined || inForce.version >= portal.agreement.version ? null : (
    <p class="note" role="status">
      Version {portal.agreement.version} of the agreement replaces version {inForce.version}.{' '}
      {inForce.ends_at === null ? (
        `Accept it within ${limits.agreementGraceDays} days of its notice.`
      ) : (
        <>
          Accept it before <Time at={inForce.ends_at} />: live calls are refused after that.
        </>
      )}{' '}
      <a href={call.pathOf(isOwner(call) ? 'newAcceptance' : 'agreement')}>
        {isOwner(call) ? 'Read and accept it' : 'Read it'}
      </a>
    </p>
  )

const rowOf = (call: MemberCall, agreement: AgreementRow) => [
  agreement.sha256 === null ? (
    agreement.version
  ) : (
    <a href={call.pathOf('acceptance', { id: agreement.id })}>{agreement.version}</a>
  ),
  agreement.is_in_force ? (
    <Badge tone="good">in force</Badge>
  ) : (
    <Badge tone="plain">{agreement.terminated_at === null ? 'ended' : 'terminated'}</Badge>
  ),
  <Time at={agreement.accepted_at} />,
  agreement.signatory_name ?? 'on paper',
  endOf(agreement),
]

function endOf({ terminated_at, ends_at }: AgreementRow) {
  const at = terminated_at ?? ends_at
  return at === null ? <span class="quiet">no end</span> : <Time at={at} />
}

export const goLiveHandlers = { goLive } satisfies Record<string, PortalHandler>
