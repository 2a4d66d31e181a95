// Emergency access: an administrator, who sees no chart, takes the role records for 24 hours.

import { isId, prefixes } from '#contract/ids.ts'
import {
  type EmergencyAccess,
  emergencyReason,
  endEmergencyAccess,
  listEmergencyAccesses,
  startEmergencyAccess,
} from '#auth/clinics/emergency.ts'
import { listOperatorAccesses, type OperatorAccessRow } from '#auth/operators/operator-access.ts'
import { Alert, TextArea } from '#http/html/fields.tsx'
import { textOf } from '#http/html/form-text.ts'
import { Badge, Confirm, Heading, RowForm, Table } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { momentIn } from './activity.tsx'
import { refusalText } from './refusals.ts'
import { clinicOf } from './settings.tsx'

const said = {
  started: 'Emergency access has begun.',
  ended: 'The emergency access has ended.',
}

type Shown = { readonly alert?: string; readonly reason?: string; readonly fault?: string }

async function emergencyPage(context: ConsoleContext, call: ConsoleCall, shown: Shown = {}) {
  const { organization, roles, emergencyUntil } = call.staff
  const accesses = await context.pool.use(one => listEmergencyAccesses(one, organization))
  const ofOperators = await context.pool.use(one => listOperatorAccesses(one, organization))
  const { time_zone: zone } = await clinicOf(context, call)
  return {
    title: 'Emergency access',
    status: shown.alert !== undefined ? 409 : shown.fault !== undefined ? 422 : 200,
    content: (
      <>
        <Heading
          title="Emergency access"
          lead="For when a chart is needed at once, and no person whose role opens it can be reached."
        />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        {!roles.includes('records') && <StartForm call={call} shown={shown} />}
        {roles.includes('records') && emergencyUntil === null && (
          <p class="quiet">Your role records opens the charts. You need no emergency access.</p>
        )}
        <section>
          <h2>Emergency accesses of the clinic</h2>
          {accesses.length === 0 ? (
            <p class="quiet">None.</p>
          ) : (
            <Table
              caption="Emergency accesses of the clinic"
              head={['Who', 'Reason', 'From', 'Until', '']}
              rows={accesses.map(one => cellsOf(call, one, zone))}
            />
          )}
        </section>
        <section>
          <h2>Emergency accesses of {context.site.name}</h2>
          <p>
            An engineer of ours reads rows of your patients only with the approval of another one,
            for an hour, and changes nothing. You are emailed each time.
          </p>
          {ofOperators.length === 0 ? (
            <p class="quiet">None.</p>
          ) : (
            <Table
              caption={`Emergency accesses of ${context.site.name}`}
              head={['Who', 'Reason', 'From', 'Until', '']}
              rows={ofOperators.map(one => operatorCells(one, zone))}
            />
          )}
        </section>
      </>
    ),
  }
}

const StartForm = ({ call, shown }: { call: ConsoleCall; shown: Shown }) => (
  <RowForm call={call} path={call.pathOf('startEmergencyAccess')} class="stack">
    <p>
      You get the role records for 24 hours: you read the charts of every patient of the clinic. The
      other administrators are emailed and can end it at once; where there is none, the clinic’s
      address for incidents is. Activity marks what you do until then.
    </p>
    <TextArea
      name="reason"
      label="Reason"
      hint="What happened, and why it cannot wait. Administrators read it."
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
  <span class="moment">{momentIn(one.started_at, zone)}</span>,
  <>
    <span class="moment">{momentIn(one.ended_at ?? one.ends_at, zone)}</span>
    {one.ended_by !== null && <span class="quiet"> ended by {one.ended_by}</span>}
  </>,
  one.is_open ? (
    <Confirm
      call={call}
      path={call.pathOf('endEmergencyAccess', { id: one.id })}
      label="End"
      question={`${one.name} opens no chart any longer, from the next page on.`}
      action="End the emergency access"
    />
  ) : (
    <Badge tone="plain">Over</Badge>
  ),
]

const operatorCells = (one: OperatorAccessRow, zone: string) => [
  <>
    {one.asked_by}
    <span class="quiet"> approved by {one.approved_by}</span>
  </>,
  one.reason,
  <span class="moment">{momentIn(one.approved_at ?? one.asked_at, zone)}</span>,
  <span class="moment">{momentIn(one.ended_at ?? one.ends_at ?? one.asked_at, zone)}</span>,
  one.is_open ? <Badge tone="waiting">Open</Badge> : <Badge tone="plain">Over</Badge>,
]

const start: ConsoleHandler = async (context, call) => {
  const { min, max } = emergencyReason
  const { value: reason, fault } = textOf(call.form, 'reason', 'Reason', max)
  if (fault !== undefined) return emergencyPage(context, call, { reason, fault })
  if ([...reason].length < min) {
    const short = `Reason must have at least ${min} characters.`
    return emergencyPage(context, call, { reason, fault: short })
  }
  const { refusal } = await context.pool.use(one => startEmergencyAccess(one, reason, call.act))
  if (refusal !== null) return emergencyPage(context, call, { alert: refusalText(refusal) })
  return { redirect: call.pathOf('emergencyAccess', {}, { done: 'started' }) }
}

const end: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  if (isId(prefixes.emergency, id)) {
    const { refusal } = await context.pool.use(one => endEmergencyAccess(one, id, call.act))
    // One that is over has ended, as was asked for.
    if (refusal !== null && refusal !== 'not_found') {
      return emergencyPage(context, call, { alert: refusalText(refusal) })
    }
  }
  return { redirect: call.pathOf('emergencyAccess', {}, { done: 'ended' }) }
}

export const emergencyHandlers = {
  emergencyAccess: (context, call) => emergencyPage(context, call),
  startEmergencyAccess: start,
  endEmergencyAccess: end,
} satisfies Record<string, ConsoleHandler>
