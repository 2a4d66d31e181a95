// The visits of a day, in their order.
import { visitTransitions } from '#contract/states.ts'
import type { Problem } from '#contract/problems.ts'
import { readClinic } from '#auth/clinics/settings.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Badge, Confirm, Empty, Heading, RowForm, Table } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import { ProblemNote, refused } from '../../refused.tsx'
import { statusText } from '../../words.ts'

type Visit = Extract<
  OperationResult<'listClinicVisits'>,
  { problem: null }
>['value']['data'][number]

const done: Readonly<Record<string, string>> = {
  started: 'The visit has started.',
  completed: 'The visit is completed.',
  missed: 'The visit is marked as a no-show.',
  canceled: 'The visit is canceled.',
  moved: 'The visit is moved.',
}

const dayMs = 86_400_000
const dayOf = (moment: number, zone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(moment)

/** The first moment of a local day. */
function startOf(day: string, zone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const shown = new Date(noon).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')
  const midnight = Date.parse(`${day}T00:00:00Z`) - (Date.parse(`${shown}Z`) - noon)
  // A change of the clock before noon moves midnight by an hour.
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(
      midnight,
    ),
  )
  return midnight - (hour > 12 ? hour - 24 : hour) * 3_600_000
}

export const showVisits: ConsoleHandler = (context, call) => visitsPage(context, call, null)

/** `problem`: why a form was refused. */
export async function visitsPage(
  context: ConsoleContext,
  call: ConsoleCall,
  problem: Problem | null,
) {
  const clinic = await context.pool.use(connection =>
    readClinic(connection, call.staff.organization),
  )
  const zone = clinic?.time_zone ?? 'UTC'
  const asked = call.query.get('day') ?? call.form.get('day') ?? ''
  const isDay = /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked))
  const day = isDay ? asked : dayOf(context.now(), zone)
  const next = dayOf(Date.parse(`${day}T12:00:00Z`) + dayMs, 'UTC')
  const before = dayOf(Date.parse(`${day}T12:00:00Z`) - dayMs, 'UTC')
  const [from, to] = [day, next].map(one => new Date(startOf(one, zone)).toISOString())
  const found = await call.perform('listClinicVisits', { id: null, query: { from, to } })
  if (found.problem) return refused('Visits', found.problem)
  const visits = found.value.data.toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
  const said = done[call.query.get('done') ?? '']
  return {
    title: 'Visits',
    status: problem === null ? 200 : 409,
    content: (
      <>
        <Heading title="Visits" lead={`${longDay(day)}, in the time of the clinic (${zone}).`} />
        <ProblemNote problem={problem} />
        {said !== undefined && problem === null && (
          <p class="success" role="status">
            {said}
          </p>
        )}
        <nav class="tabs" aria-label="Days">
          <a href={call.pathOf('visits', {}, { day: before })}>Day before</a>
          <a href={call.pathOf('visits')}>Today</a>
          <a href={call.pathOf('visits', {}, { day: next })}>Next day</a>
        </nav>
        {visits.length === 0 ? (
          <Empty title="No visit on this day">
            <p>Programs book the hours of clinicians, which the schedule has.</p>
          </Empty>
        ) : (
          <Table
            caption="Visits"
            head={['Time', 'Patient', 'Clinician', 'Status', 'From', '']}
            rows={visits.map(one => rowOf(call, one, { day, zone }))}
          />
        )}
        {found.value.has_more && (
          <p class="note">The first hundred of this day that were booked are shown.</p>
        )}
      </>
    ),
  }
}

const longDay = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleString('en-US', { dateStyle: 'full', timeZone: 'UTC' })

const timeText = (at: string, zone: string) =>
  new Date(at).toLocaleString('en-US', { timeStyle: 'short', timeZone: zone })

type Shown = { readonly day: string; readonly zone: string }

const rowOf = (call: ConsoleCall, visit: Visit, { day, zone }: Shown) => [
  timeText(visit.starts_at, zone),
  call.mayOpen('patient') ? (
    <a key="patient" href={call.pathOf('patient', { id: visit.patient })}>
      {visit.patient_name}
    </a>
  ) : (
    visit.patient_name
  ),
  visit.is_own ? <strong key="clinician">You</strong> : (visit.clinician_name ?? 'Not assigned'),
  <Badge key="status" tone={visit.status === 'scheduled' ? 'waiting' : 'plain'}>
    {statusText(visit.status)}
  </Badge>,
  visit.integration.name,
  <Moves key="moves" call={call} visit={visit} day={day} />,
]

const forms = [
  ['startVisit', 'start', 'Start'],
  ['completeVisit', 'complete', 'Complete'],
] as const
const confirmed = [
  ['missVisit', 'miss', 'No-show', 'The patient did not come?', 'Mark as no-show'],
  ['cancelVisit', 'cancel', 'Cancel', 'The program gets an event at once.', 'Cancel the visit'],
] as const

const Moves = ({ call, visit, day }: { call: ConsoleCall; visit: Visit; day: string }) => {
  const fields = (
    <>
      <Hidden name="version" value={visit.updated_at} />
      <Hidden name="day" value={day} />
    </>
  )
  const may = (row: Parameters<ConsoleCall['mayOpen']>[0], move: keyof typeof visitTransitions) =>
    call.mayOpen(row) && (visitTransitions[move].from as readonly string[]).includes(visit.status)
  return (
    <div class="actions">
      {forms.map(
        ([row, move, label]) =>
          may(row, move) && (
            <RowForm key={row} call={call} path={call.pathOf(row, { id: visit.id })}>
              {fields}
              <button class="button second small">{label}</button>
            </RowForm>
          ),
      )}
      {may('showMove', 'reschedule') && (
        <a class="button second small" href={call.pathOf('showMove', { id: visit.id })}>
          Move
        </a>
      )}
      {confirmed.map(
        ([row, move, label, question, action]) =>
          may(row, move) && (
            <Confirm
              key={row}
              call={call}
              path={call.pathOf(row, { id: visit.id })}
              {...{ label, question, action }}
            >
              {fields}
            </Confirm>
          ),
      )}
    </div>
  )
}
