// The hours when a clinic's clinicians see patients.
import {
  type CalendarExceptionRow,
  listCalendarExceptions,
  listWorkingHours,
  type WorkingHoursRow,
} from '#auth/clinics/calendar.ts'
import { listStaff } from '#auth/clinics/staff.ts'
import { Alert, Field, Select } from '#http/html/fields.tsx'
import { Confirm, Empty, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { localDay, zoneName } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { ZoneField } from '../../zone-field.tsx'
import { dateText } from '../patient-name.ts'
import { mondayOf, Week } from './week.tsx'

export type Faults = Partial<Record<string, string>>

type ScheduleFaults = { readonly faults: Faults; readonly refusal: string | null }

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const said: Readonly<Record<string, string>> = {
  addHours: 'Weekly hours added.',
  addException: 'Schedule updated.',
  removeHours: 'Removed. Booked visits stay on the calendar.',
}

export const showSchedule: ConsoleHandler = (context, call) =>
  schedulePage(context, call, { faults: {}, refusal: null })

export async function schedulePage(
  { pool, now }: ConsoleContext,
  call: ConsoleCall,
  { faults, refusal }: ScheduleFaults,
) {
  const { people, hours, exceptions } = await readSchedule(pool, call)
  const nameOf = new Map(people)
  const monday = mondayOf(call.query.get('week'), now(), call.zone)
  const today = localDay(now(), call.zone)
  const isRefused = refusal !== null || Object.keys(faults).length > 0
  return {
    title: 'Schedule',
    status: isRefused ? 422 : 200,
    content: (
      <>
        <Heading
          title="Schedule"
          lead="Patients can book half-hour visits during these hours, in the states where each clinician is licensed."
        />
        {refusal !== null && <Alert>{refusal}</Alert>}
        <DoneNote call={call} said={said} />
        {people.length === 0 ? (
          <Empty title="No clinicians yet">
            <p>Under Staff, give someone the clinician role and record a license.</p>
          </Empty>
        ) : (
          <>
            <Week {...{ call, monday, today, nameOf }} schedule={{ hours, exceptions }} />
            <Hours call={call} hours={hours} nameOf={nameOf} />
            <HoursForm call={call} people={people} faults={faults} />
            <Exceptions call={call} exceptions={exceptions} nameOf={nameOf} />
            <ExceptionForm call={call} people={people} faults={faults} now={now()} />
          </>
        )}
      </>
    ),
  }
}

/** An administrator sees everyone's hours; a clinician sees their own. */
async function readSchedule(pool: ConsoleContext['pool'], call: ConsoleCall) {
  const { organization, roles } = call.staff
  const isAdmin = roles.includes('admin')
  const [staff, hours, exceptions] = await pool.use(
    async connection =>
      [
        await listStaff(connection, organization),
        await listWorkingHours(connection, organization),
        await listCalendarExceptions(connection, organization),
      ] as const,
  )
  const people = staff
    .filter(one => one.roles.includes('clinician') && one.removed_at === null)
    .filter(one => isAdmin || one.person === call.session.person.id)
    .map(({ person, name }) => [person, name] as const)
  const shown = new Set(people.map(([person]) => person))
  const isShown = ({ person }: { person: string }) => shown.has(person)
  return {
    people,
    hours: hours.filter(isShown),
    exceptions: exceptions.filter(isShown),
  }
}

type People = readonly (readonly [string, string])[]
type StaffNames = { readonly call: ConsoleCall; readonly nameOf: ReadonlyMap<string, string> }

const Remove = ({ call, id, what }: { call: ConsoleCall; id: string; what: string }) => (
  <Confirm
    call={call}
    path={call.pathOf('removeHours', { id })}
    label="Remove"
    question={`Remove ${what}? Booked visits stay.`}
    action="Remove"
  />
)

const Hours = ({ call, hours, nameOf }: StaffNames & { hours: readonly WorkingHoursRow[] }) => (
  <section class="part">
    <h2>Weekly hours</h2>
    {hours.length === 0 ? (
      <p class="quiet">No weekly hours yet, so patients can’t book visits.</p>
    ) : (
      <Table
        caption="Weekly hours"
        head={['Clinician', 'Day', 'Hours', 'Time zone', 'Dates', '']}
        rows={hours.map(one => [
          nameOf.get(one.person) ?? '',
          weekdays[one.weekday] ?? '',
          `${clockText(one.starts_at)} – ${clockText(one.ends_at)}`,
          one.time_zone.replaceAll('_', ' '),
          datesText(one),
          <Remove key="remove" call={call} id={one.id} what="these hours" />,
        ])}
      />
    )}
  </section>
)

/** `17:00` as `5:00 PM`. */
const clockText = (time: string) =>
  new Date(`1970-01-01T${time}:00Z`).toLocaleString('en-US', {
    timeStyle: 'short',
    timeZone: 'UTC',
  })

const datesText = ({ valid_from, valid_to }: WorkingHoursRow) =>
  [valid_from && `From ${dateText(valid_from)}`, valid_to && `until ${dateText(valid_to)}`]
    .filter(Boolean)
    .join(' ')

type FormProps = { readonly call: ConsoleCall; readonly people: People; readonly faults: Faults }

/** The typed text, after this form was refused. */
const valueOf =
  ({ form }: ConsoleCall) =>
  (name: string) =>
    form.get(name) ?? undefined

/** Each form on the page has its own name for the field. */
const Clinician = ({ call, people, faults, name }: FormProps & { name: 'person' | 'whose' }) => (
  <Select
    name={name}
    label="Clinician"
    value={valueOf(call)(name) ?? ''}
    options={people}
    fault={faults[name]}
  />
)

const HoursForm = ({ call, people, faults }: FormProps) => {
  const value = valueOf(call)
  return (
    <section class="part">
      <h2>Add weekly hours</h2>
      <RowForm call={call} path={call.pathOf('addHours')} class="stack">
        <Clinician call={call} people={people} faults={faults} name="person" />
        <Select
          name="weekday"
          label="Day"
          value={value('weekday') ?? '1'}
          options={weekdays.map((name, at) => [String(at), name] as const)}
          fault={faults['weekday']}
        />
        <Field
          name="starts_at"
          label="From"
          type="time"
          value={value('starts_at') ?? '09:00'}
          fault={faults['starts_at']}
        />
        <Field
          name="ends_at"
          label="To"
          type="time"
          value={value('ends_at') ?? '17:00'}
          fault={faults['ends_at']}
        />
        <ZoneField
          name="time_zone"
          label="Time zone"
          value={value('time_zone') ?? call.zone}
          fault={faults['time_zone']}
        />
        <Field
          name="valid_from"
          label="First day"
          type="date"
          isOptional
          hint="Leave empty to start today."
          value={value('valid_from') ?? ''}
          fault={faults['valid_from']}
        />
        <Field
          name="valid_to"
          label="Last day"
          type="date"
          isOptional
          hint="Leave empty to repeat until you remove it."
          value={value('valid_to') ?? ''}
          fault={faults['valid_to']}
        />
        <div class="actions">
          <button class="button">Add</button>
        </div>
      </RowForm>
    </section>
  )
}

const kinds = { off: 'Time off', extra: 'Extra time' } as const

const Exceptions = ({
  call,
  exceptions,
  nameOf,
}: StaffNames & { exceptions: readonly CalendarExceptionRow[] }) => (
  <section class="part">
    <h2>Time off and extra time</h2>
    {exceptions.length === 0 ? (
      <p class="quiet">None yet.</p>
    ) : (
      <Table
        caption="Time off and extra time"
        head={['Clinician', 'Kind', 'From', 'To', '']}
        rows={exceptions.map(one => [
          nameOf.get(one.person) ?? '',
          kinds[one.kind],
          <Time key="from" at={one.starts_at} />,
          <Time key="to" at={one.ends_at} />,
          <Remove key="remove" call={call} id={one.id} what="this entry" />,
        ])}
      />
    )}
  </section>
)

const ExceptionForm = ({ call, people, faults, now }: FormProps & { now: number }) => {
  const value = valueOf(call)
  const zone = zoneName(now, call.zone)
  return (
    <section class="part">
      <h2>Add time off or extra time</h2>
      <RowForm call={call} path={call.pathOf('addException')} class="stack">
        <Clinician call={call} people={people} faults={faults} name="whose" />
        <Select
          name="kind"
          label="Kind"
          value={value('kind') ?? 'off'}
          options={[
            ['off', 'Time off: no visits'],
            ['extra', 'Extra time: visits beyond the weekly hours'],
          ]}
          fault={faults['kind']}
        />
        <Field
          name="from"
          label={`From (${zone})`}
          type="datetime-local"
          value={value('from') ?? ''}
          fault={faults['from']}
        />
        <Field
          name="to"
          label={`To (${zone})`}
          type="datetime-local"
          value={value('to') ?? ''}
          fault={faults['to']}
        />
        <div class="actions">
          <button class="button">Add</button>
        </div>
      </RowForm>
    </section>
  )
}
