// The steps to live mode, which check themselves off, and the accepted agreements.
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

/** The four conditions of live mode, and the account's agreements. */
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
              ? 'You’re live. Requests with a live key reach real patients.'
              : `Four steps to go live. ${done} of ${steps.length} complete.`
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
              head={['Version', 'Status', 'Accepted', 'By', 'Ended']}
              rows={agreements.map(agreement => rowOf(call, agreement))}
            />
          </section>
        )}
      </>
    ),
  }
}

/** How data at rest is encrypted, because clinics ask in security reviews. */
const Encryption = ({ stated_at: at, stated_by: by, volume, backups }: EncryptionStatement) => (
  <section>
    <h2>Encryption at rest</h2>
    <Facts
      of={[
        ['Volume', volume],
        ['Backups', backups],
        ['Confirmed by', by],
        ['Confirmed', <Time at={at} />],
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
    title: 'Accept the business associate agreement',
    isDone: inForce !== undefined,
    text:
      inForce === undefined ? (
        `An owner has to read and accept version ${agreement.version}.`
      ) : (
        <>
          Version {inForce.version}, accepted <Time at={inForce.accepted_at} />.
        </>
      ),
    action: (
      <Action href={call.pathOf(isOwner(call) ? 'newAcceptance' : 'agreement')}>
        {isOwner(call) ? 'Review agreement' : 'Read agreement'}
      </Action>
    ),
  }
}

const live = { mode: 'live' } as const

const grantStep = (
  call: MemberCall,
  { has_grant, has_pending_grant }: LiveConditions,
): Condition => ({
  title: 'Get access to a clinic',
  isDone: has_grant,
  text: has_grant
    ? 'At least one clinic granted you live access.'
    : has_pending_grant
      ? 'Waiting for the clinic to decide.'
      : 'Ask the clinic for its ID. Then an owner requests access.',
  action: (
    <Action
      href={call.pathOf(
        isOwner(call) && !has_pending_grant ? 'newGrantRequest' : 'organizations',
        live,
      )}
    >
      {has_pending_grant ? 'View request' : isOwner(call) ? 'Request access' : 'Clinics'}
    </Action>
  ),
})

const keyStep = (
  call: MemberCall,
  { has_key, has_grant }: LiveConditions,
  isAgreed: boolean,
): Condition => ({
  title: 'Create a live key',
  isDone: has_key,
  text: has_key
    ? 'A live key or client can use the API.'
    : 'An owner creates one after the first two steps. Grant only the scopes it needs.',
  action:
    isOwner(call) && isAgreed && has_grant ? (
      <Action href={call.pathOf('newKey', live)}>Create live key</Action>
    ) : undefined,
})

const callStep = (
  { api }: PortalContext,
  { has_key, last_call_at: last }: LiveConditions,
): Condition => ({
  title: 'Send a live request',
  isDone: last !== null,
  text:
    last !== null ? (
      <>
        Last request <Time at={last} />.
      </>
    ) : has_key ? (
      <>
        Call <code>{api}/v1/organization</code> with your live key to see which clinic it’s for.
      </>
    ) : (
      'Your first request with a live key completes this step.'
    ),
})

type SupersededProps = {
  readonly portal: PortalContext
  readonly call: MemberCall
  readonly inForce: AgreementRow | undefined
}

/** Shows that a newer version needs to be accepted. */
const Superseded = ({ portal, call, inForce }: SupersededProps) =>
  inForce === undefined || inForce.version >= portal.agreement.version ? null : (
    <p class="note" role="status">
      Version {portal.agreement.version} of the agreement replaces version {inForce.version}.{' '}
      {inForce.ends_at === null ? (
        `Accept it within ${limits.agreementGraceDays} days of the notice.`
      ) : (
        <>
          Accept it before <Time at={inForce.ends_at} />. After that, live requests are refused.
        </>
      )}{' '}
      <a href={call.pathOf(isOwner(call) ? 'newAcceptance' : 'agreement')}>
        {isOwner(call) ? 'Review agreement' : 'Read agreement'}
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
    <Badge tone="good">In effect</Badge>
  ) : (
    <Badge tone="plain">{agreement.terminated_at === null ? 'Ended' : 'Terminated'}</Badge>
  ),
  <Time at={agreement.accepted_at} />,
  agreement.signatory_name ?? 'On paper',
  endOf(agreement),
]

function endOf({ terminated_at, ends_at }: AgreementRow) {
  const at = terminated_at ?? ends_at
  return at === null ? <span class="quiet">No end date</span> : <Time at={at} />
}

export const goLiveHandlers = { goLive } satisfies Record<string, PortalHandler>
