// A day's visits in order.
import { visitMoveOpens } from '#contract/console/visits.ts'
import { visitTransitions } from '#contract/states.ts'
import { Problem, problems } from '#contract/problems.ts'
import { formats } from '#contract/api/text-formats.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Badge, Confirm, Empty, Heading, RowForm, Table } from '#http/html/parts.tsx'
import { localDay, timeIn } from '#http/html/zone.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { ProblemNote, refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'

type Visit = Extract<
  OperationResult<'listClinicVisits'>,
  { problem: null }
>['value']['data'][number]

const said: Readonly<Record<string, string>> = {
  started: 'Visit started.',
  completed: 'Visit completed.',
  missed: 'Visit marked as a no-show.',
  canceled: 'Visit canceled.',
  moved: 'Visit rescheduled.',
  reassigned: 'Visit rescheduled with another clinician, listed below.',
}

/** The requested day; by default, today in the zone. */
function dayOf(call: ConsoleCall, now: number, zone: string): Temporal.PlainDate {
  const asked = formats['date']?.(call.query.get('day') ?? call.form.get('day') ?? '') ?? null
  return asked === null ? localDay(now, zone) : Temporal.PlainDate.from(asked)
}

export const showVisits: ConsoleHandler = (context, call) => visitsPage(context, call, null)

/** `problem` is the reason a form was refused. */
export async function visitsPage(
  context: ConsoleContext,
  call: ConsoleCall,
  problem: Problem | null,
) {
  const { zone } = call
  const isMine = (call.query.get('mine') ?? call.form.get('mine')) === 'yes'
  const [day, today] = [dayOf(call, context.now(), zone), localDay(context.now(), zone)]
  const [next, before] = [day.add({ days: 1 }), day.subtract({ days: 1 })]
  const [from, to] = [day, next].map(one => one.toZonedDateTime(zone).toInstant().toString())
  const found = await visitsBetween(call, from, to)
  if (found instanceof Problem) return refused('Visits', found)
  const all = found.toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
  const mine = isMine ? 'yes' : undefined
  return {
    title: 'Visits',
    status: problem === null ? 200 : problems[problem.code].status,
    content: (
      <>
        <Heading title="Visits" lead={day.toLocaleString('en-US', { dateStyle: 'full' })} />
        <ProblemNote problem={problem} />
        <DoneNote call={call} said={said} />
        <nav class="tabs" aria-label="Days">
          <a href={call.pathOf('visits', {}, { day: `${before}`, mine })}>Previous day</a>
          <a
            href={call.pathOf('visits', {}, { mine })}
            aria-current={day.equals(today) ? 'page' : undefined}
          >
            Today
          </a>
          <a href={call.pathOf('visits', {}, { day: `${next}`, mine })}>Next day</a>
        </nav>
        <VisitsOfDay
          call={call}
          all={all}
          view={{ day: `${day}`, isMine, zone, now: context.now() }}
        />
      </>
    ),
  }
}

type VisitsOfDayProps = {
  readonly call: ConsoleCall
  readonly all: readonly Visit[]
  readonly view: DayView
}

function VisitsOfDay({ call, all, view }: VisitsOfDayProps) {
  const { day, isMine } = view
  const own = all.filter(one => one.is_own)
  const visits = isMine ? own : all
  const other = call.pathOf('visits', {}, { day, mine: isMine ? undefined : 'yes' })
  return (
    <div id="results" class="stack-of">
      {(isMine || own.length > 0) && own.length < all.length && (
        <p>
          <a href={other}>
            {isMine
              ? `Show the clinic’s visits (${all.length})`
              : `Show only yours (${own.length})`}
          </a>
        </p>
      )}
      {visits.length === 0 ? (
        <Empty title={isMine ? 'You have no visits on this day' : 'No visits on this day'}>
          <p>Visits are booked into the hours on your schedule.</p>
        </Empty>
      ) : (
        <>
          <Table
            caption="Visits"
            head={['Time', 'Patient', 'Clinician', 'Status', 'From', '']}
            rows={visits.map(one => rowOf(call, one, view))}
          />
          <EntranceHint call={call} />
        </>
      )}
    </div>
  )
}

/** Pages are in the order of booking, so only all of them have the day's order. */
async function visitsBetween(call: ConsoleCall, from?: string, to?: string) {
  const visits: Visit[] = []
  for (;;) {
    const query = { from, to, starting_after: visits.at(-1)?.id }
    const found = await call.perform('listClinicVisits', { id: null, query })
    if (found.problem) return found.problem
    visits.push(...found.value.data)
    if (!found.value.has_more) return visits
  }
}

/** A hint for helping a patient who can't get in. */
const EntranceHint = ({ call }: { call: ConsoleCall }) => (
  <p class="hint">
    {call.mayOpen('startVisit') &&
      'Video room opens your side of the visit; Start lets the patient in. '}
    Patients join with a link from the integration and their date of birth. Each link works in one
    browser; the integration can send a new one.
  </p>
)

/** `isMine` leaves out other clinicians' visits. */
type DayView = {
  readonly day: string
  readonly isMine: boolean
  readonly zone: string
  readonly now: number
}

const rowOf = (call: ConsoleCall, visit: Visit, view: DayView) => [
  timeIn(visit.starts_at, view.zone, { timeOnly: true }),
  call.mayOpen('patient') ? (
    <a key="patient" href={call.pathOf('patient', { id: visit.patient })}>
      {visit.patient_name}
    </a>
  ) : (
    visit.patient_name
  ),
  visit.is_own ? <strong key="clinician">You</strong> : (visit.clinician_name ?? 'Unassigned'),
  <Badge key="status" tone={visit.status === 'scheduled' ? 'waiting' : 'plain'}>
    {statusText(visit.status)}
  </Badge>,
  visit.integration.name,
  <Moves key="moves" call={call} visit={visit} view={view} />,
]

/** On a colleague's visit, these need confirmation. */
const forms = [
  ['startVisit', 'start', 'Start', ' You’ll take it over.'],
  ['completeVisit', 'complete', 'Complete', ''],
] as const
const confirmed = [
  ['missVisit', 'miss', 'No-show', 'Did the patient miss this visit?', 'Mark as no-show'],
  ['cancelVisit', 'cancel', 'Cancel', 'We notify the integration right away.', 'Cancel visit'],
] as const

const isOpen = (move: keyof typeof visitMoveOpens, { starts_at }: Visit, now: number) => {
  const minutes = visitMoveOpens[move]
  return minutes === null || now >= Date.parse(starts_at) + minutes * 60_000
}

type ActProps = {
  readonly call: ConsoleCall
  readonly visit: Visit
  readonly form: (typeof forms)[number]
  readonly children: ComponentChildren
}

function Act({ call, visit, form: [row, , label, more], children }: ActProps) {
  const path = call.pathOf(row, { id: visit.id })
  if (visit.is_own) {
    return (
      <RowForm call={call} path={path}>
        {children}
        <button class="button second small">{label}</button>
      </RowForm>
    )
  }
  const clinician = visit.clinician_name ?? 'another clinician'
  return (
    <Confirm
      {...{ call, path, label }}
      question={`${label} ${visit.patient_name}’s visit with ${clinician}?${more}`}
      action={`${label} visit`}
    >
      {children}
    </Confirm>
  )
}

type MovesProps = { call: ConsoleCall; visit: Visit; view: DayView }

const Moves = ({ call, visit, view: { day, isMine, now } }: MovesProps) => {
  const mine = isMine ? 'yes' : undefined
  const fields = (
    <>
      <Hidden name="version" value={visit.updated_at} />
      <Hidden name="day" value={day} />
      {isMine && <Hidden name="mine" value="yes" />}
    </>
  )
  const may = (row: Parameters<ConsoleCall['mayOpen']>[0], move: keyof typeof visitTransitions) =>
    call.mayOpen(row) &&
    (visitTransitions[move].from as readonly string[]).includes(visit.status) &&
    (move !== 'start' || visit.is_own || call.staff.states.includes(visit.state)) &&
    isOpen(move, visit, now)
  return (
    <div class="actions">
      {forms.map(
        form =>
          may(form[0], form[1]) && (
            <Act key={form[0]} {...{ call, visit, form }}>
              {fields}
            </Act>
          ),
      )}
      {visit.is_own && may('joinVisit', 'join') && (
        <a
          class="button second small"
          href={call.pathOf('joinVisit', { id: visit.id })}
          target="_blank"
          rel="noreferrer"
        >
          Video room
        </a>
      )}
      {call.mayOpen('visitNote') && (
        <a class="button second small" href={call.pathOf('visitNote', { id: visit.id })}>
          {visit.has_draft ? 'Unsigned note' : 'Note'}
        </a>
      )}
      {may('showMove', 'reschedule') && (
        <a class="button second small" href={call.pathOf('showMove', { id: visit.id }, { mine })}>
          Reschedule
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
