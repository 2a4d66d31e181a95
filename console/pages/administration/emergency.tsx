// Emergency access: an administrator, who normally can't read charts, can read every chart for 24
// hours.

import { isId, prefixes } from '#contract/ids.ts'
import {
  allowEmergencyAccess,
  type EmergencyAccess,
  emergencyReason,
  endEmergencyAccess,
  listEmergencyAccesses,
  listWatching,
  startEmergencyAccess,
} from '#auth/clinics/emergency.ts'
import type { ClinicChange } from '#auth/clinics/staff.ts'
import { listOperatorAccesses, type OperatorAccessRow } from '#auth/operators/operator-access.ts'
import { Alert, TextArea } from '#http/html/fields.tsx'
import { textOf } from '#http/html/form-text.ts'
import { Badge, Confirm, Heading, RowForm, Table } from '#http/html/parts.tsx'
import { timeIn } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { refusalText } from './refusals.ts'

const said = {
  ended: 'Emergency access ended.',
  allowed: 'Emergency access allowed again.',
}

type FormState = { readonly alert?: string; readonly reason?: string; readonly fault?: string }
type StartProps = {
  readonly call: ConsoleCall
  readonly shown: FormState
  readonly waits: EmergencyAccess | undefined
  /** The email addresses that are notified. */
  readonly watching: readonly string[]
  readonly zone: string
}

async function emergencyPage(context: ConsoleContext, call: ConsoleCall, shown: FormState = {}) {
  const { organization, roles, emergencyUntil } = call.staff
  const { id: person } = call.session.person
  const [accesses, ofOperators, watching] = await context.pool.use(async one => [
    await listEmergencyAccesses(one, organization),
    await listOperatorAccesses(one, organization),
    await listWatching(one, { organization, person }),
  ])
  const waits = accesses.find(one => one.person === person && one.waits_until !== null)
  const { zone } = call
  return {
    title: 'Emergency access',
    status: shown.alert !== undefined ? 409 : shown.fault !== undefined ? 422 : 200,
    content: (
      <>
        <Heading
          title="Emergency access"
          lead="Use this when you need a chart now and can’t reach anyone who can open it."
        />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        {roles.includes('records') ? (
          <p class="quiet">Your role can already open every chart.</p>
        ) : (
          emergencyUntil === null && (
            <StartForm call={call} shown={shown} waits={waits} watching={watching} zone={zone} />
          )
        )}
        <section>
          <h2>By administrators</h2>
          {accesses.length === 0 ? (
            <p class="quiet">None.</p>
          ) : (
            <Table
              caption="Emergency access by administrators"
              head={['Who', 'Reason', 'From', 'Until', '']}
              rows={accesses.map(one => cellsOf(call, one, zone))}
            />
          )}
        </section>
        <ByOperators company={context.site.name} of={ofOperators} zone={zone} />
      </>
    ),
  }
}

type ByOperatorsProps = {
  readonly company: string
  readonly of: Awaited<ReturnType<typeof listOperatorAccesses>>
  readonly zone: string
}

const ByOperators = ({ company, of, zone }: ByOperatorsProps) => (
  <section>
    <h2>By {company}</h2>
    <p>
      Our engineers can read your patients’ data only with a second engineer’s approval, for one
      hour, and can’t change anything. We email you each time.
    </p>
    {of.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <Table
        caption={`Emergency access by ${company}`}
        head={['Who', 'Reason', 'From', 'Until', '']}
        rows={of.map(one => operatorCells(one, zone))}
      />
    )}
  </section>
)

/** Shown instead of the form if no one would be notified, or if another administrator has to allow
 *  the access. */
const Stopped = ({ call, waits, zone }: Omit<StartProps, 'shown' | 'watching'>) => (
  <p class="note" role="status">
    {waits === undefined ? (
      <>
        No one would be notified of your access: the clinic has no other administrator and no email
        address. <a href={call.pathOf('clinicSettings')}>Add an incident email</a> first.
      </>
    ) : (
      <>
        You had emergency access within the last day. Ask another administrator to allow it again on
        this page, or wait until {timeIn(waits.waits_until ?? '', zone)}.
      </>
    )}
  </p>
)

const StartForm = ({ call, shown, waits, watching, zone }: StartProps) =>
  waits !== undefined || watching.length === 0 ? (
    <Stopped call={call} waits={waits} zone={zone} />
  ) : (
    <RowForm call={call} path={call.pathOf('startEmergencyAccess')} class="stack">
      <p>
        You can read every chart at the clinic for 24 hours, but can’t change, remove or export
        anything. Everything you open is flagged in Activity. We’ll email {watching.join(', ')}. Any
        administrator can end your access.
      </p>
      <TextArea
        name="reason"
        label="Reason"
        hint="What happened, and why it can’t wait. Administrators will see this."
        value={shown.reason ?? ''}
        fault={shown.fault}
      />
      <div class="actions">
        <button class="button">Start emergency access</button>
      </div>
    </RowForm>
  )

const cellsOf = (call: ConsoleCall, one: EmergencyAccess, zone: string) => [
  <>
    {one.name}
    {one.person === call.session.person.id && <span class="quiet"> you</span>}
  </>,
  one.reason,
  <span class="moment">{timeIn(one.started_at, zone)}</span>,
  <>
    <span class="moment">{timeIn(one.ended_at ?? one.ends_at, zone)}</span>
    {one.ended_by !== null && <span class="quiet"> ended by {one.ended_by}</span>}
    {one.again_by !== null && <span class="quiet"> allowed again by {one.again_by}</span>}
  </>,
  one.is_open ? (
    <Confirm
      call={call}
      path={call.pathOf('endEmergencyAccess', { id: one.id })}
      label="End"
      question={`${one.name} can no longer open charts.`}
      action="End emergency access"
    />
  ) : one.waits_until !== null && one.person !== call.session.person.id ? (
    <RowForm call={call} path={call.pathOf('allowEmergencyAccess', { id: one.id })} class="inline">
      <button class="button second small">Allow again</button>
    </RowForm>
  ) : (
    <Badge tone="plain">Ended</Badge>
  ),
]

const operatorCells = (one: OperatorAccessRow, zone: string) => [
  <>
    {one.asked_by}
    <span class="quiet"> approved by {one.approved_by}</span>
  </>,
  one.reason,
  <span class="moment">{timeIn(one.approved_at ?? one.asked_at, zone)}</span>,
  <span class="moment">{timeIn(one.ended_at ?? one.ends_at ?? one.asked_at, zone)}</span>,
  one.is_open ? <Badge tone="waiting">Active</Badge> : <Badge tone="plain">Ended</Badge>,
]

const start: ConsoleHandler = async (context, call) => {
  const { min, max } = emergencyReason
  const { value: reason, fault } = textOf(call.form, 'reason', max)
  if (fault !== undefined) return emergencyPage(context, call, { reason, fault })
  if ([...reason].length < min) {
    const short = `Enter at least ${min} characters.`
    return emergencyPage(context, call, { reason, fault: short })
  }
  const { refusal } = await context.pool.use(one => startEmergencyAccess(one, reason, call.act))
  if (refusal !== null) return emergencyPage(context, call, { alert: refusalText(refusal) })
  // The next step is to find whose chart is needed.
  return { redirect: call.pathOf('patients') }
}

function changeAccess(
  { pool }: ConsoleContext,
  call: ConsoleCall,
  change: typeof endEmergencyAccess,
): Promise<ClinicChange> | ClinicChange {
  const id = call.names['id'] ?? ''
  return isId(prefixes.emergency, id)
    ? pool.use(connection => change(connection, id, call.act))
    : { refusal: 'not_found' }
}

const end: ConsoleHandler = async (context, call) => {
  const { refusal } = await changeAccess(context, call, endEmergencyAccess)
  if (refusal === 'not_found') {
    return emergencyPage(context, call, { alert: 'This emergency access isn’t open anymore.' })
  }
  if (refusal !== null) return emergencyPage(context, call, { alert: refusalText(refusal) })
  return { redirect: call.pathOf('emergencyAccess', {}, { done: 'ended' }) }
}

const allow: ConsoleHandler = async (context, call) => {
  const { refusal } = await changeAccess(context, call, allowEmergencyAccess)
  if (refusal !== null) return emergencyPage(context, call, { alert: refusalText(refusal) })
  return { redirect: call.pathOf('emergencyAccess', {}, { done: 'allowed' }) }
}

export const emergencyHandlers = {
  emergencyAccess: (context, call) => emergencyPage(context, call),
  startEmergencyAccess: start,
  endEmergencyAccess: end,
  allowEmergencyAccess: allow,
} satisfies Record<string, ConsoleHandler>
