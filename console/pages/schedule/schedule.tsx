// When the clinicians of a clinic see patients.
import {
  type CalendarExceptionRow,
  listCalendarExceptions,
  listWorkingHours,
  type WorkingHoursRow,
} from '#auth/clinics/calendar.ts'
import { readClinic } from '#auth/clinics/settings.ts'
import { listStaff } from '#auth/clinics/staff.ts'
import { Alert, Field, Select } from '#http/html/fields.tsx'
import { Confirm, Empty, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'

export type Faults = Partial<Record<string, string>>

type Refused = { readonly faults: Faults; readonly refusal: string | null }

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const said: Readonly<Record<string, string>> = {
  addHours: 'The hours are added.',
  addException: 'It is added to the schedule.',
  removeHours: 'It is removed. Visits that were booked stay.',
}

export const showSchedule: ConsoleHandler = (context, call) =>
  schedulePage(context, call, { faults: {}, refusal: null })

export async function schedulePage(
  { pool }: ConsoleContext,
  call: ConsoleCall,
  { faults, refusal }: Refused,
) {
  const { people, hours, exceptions, zone } = await readSchedule(pool, call)
  const nameOf = new Map(people)
  const isRefused = refusal !== null || Object.keys(faults).length > 0
  return {
    title: 'Schedule',
    status: isRefused ? 422 : 200,
    content: (
      <>
        <Heading
          title="Schedule"
          lead="Slots of half an hour are offered in these hours, in the states of each license."
        />
        {refusal !== null && <Alert>{refusal}</Alert>}
        <DoneNote call={call} said={said} />
        {people.length === 0 ? (
          <Empty title="No clinician yet">
            <p>Give a member of staff the role clinician, and a license.</p>
          </Empty>
        ) : (
          <>
            <Hours call={call} hours={hours} nameOf={nameOf} />
            <HoursForm call={call} people={people} faults={faults} zone={zone} />
            <Exceptions call={call} exceptions={exceptions} nameOf={nameOf} />
            <ExceptionForm call={call} people={people} faults={faults} />
          </>
        )}
      </>
    ),
  }
}

/** An administrator sees those of everyone, a clinician their own. */
async function readSchedule(pool: ConsoleContext['pool'], call: ConsoleCall) {
  const { organization, roles } = call.staff
  const isAdmin = roles.includes('admin')
  const [staff, hours, exceptions, clinic] = await pool.use(
    async connection =>
      [
        await listStaff(connection, organization),
        await listWorkingHours(connection, organization),
        await listCalendarExceptions(connection, organization),
        await readClinic(connection, organization),
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
    zone: clinic?.time_zone ?? '',
  }
}

type People = readonly (readonly [string, string])[]
type Named = { readonly call: ConsoleCall; readonly nameOf: ReadonlyMap<string, string> }

const Remove = ({ call, id, what }: { call: ConsoleCall; id: string; what: string }) => (
  <Confirm
    call={call}
    path={call.pathOf('removeHours', { id })}
    label="Remove"
    question={`Remove ${what}? Visits that were booked stay.`}
    action="Remove"
  />
)

const Hours = ({ call, hours, nameOf }: Named & { hours: readonly WorkingHoursRow[] }) => (
  <section class="part">
    <h2>Weekly hours</h2>
    {hours.length === 0 ? (
      <p class="quiet">There are none, so no slot is offered.</p>
    ) : (
      <Table
        caption="Weekly hours"
        head={['Clinician', 'Day', 'Hours', 'Time zone', 'Holds', '']}
        rows={hours.map(one => [
          nameOf.get(one.person) ?? '',
          weekdays[one.weekday] ?? '',
          `${one.starts_at} to ${one.ends_at}`,
          one.time_zone,
          `from ${one.valid_from}${one.valid_to === null ? '' : ` to ${one.valid_to}`}`,
          <Remove key="remove" call={call} id={one.id} what="these hours" />,
        ])}
      />
    )}
  </section>
)

type FormProps = { readonly call: ConsoleCall; readonly people: People; readonly faults: Faults }

/** What was typed, after a refusal of this form. */
const valueOf =
  ({ form }: ConsoleCall) =>
  (name: string) =>
    form.get(name) ?? undefined

const HoursForm = ({ call, people, faults, zone }: FormProps & { zone: string }) => {
  const value = valueOf(call)
  return (
    <section class="part">
      <h2>Add weekly hours</h2>
      <RowForm call={call} path={call.pathOf('addHours')} class="stack">
        <Select name="person" label="Clinician" value={value('person') ?? ''} options={people} />
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
          value={value('starts_at') ?? '09:00'}
          fault={faults['starts_at']}
        />
        <Field
          name="ends_at"
          label="To"
          value={value('ends_at') ?? '17:00'}
          fault={faults['ends_at']}
        />
        <Field
          name="time_zone"
          label="Time zone"
          value={value('time_zone') ?? zone}
          fault={faults['time_zone']}
        />
        <Field
          name="valid_from"
          label="First day"
          isOptional
          hint="As 2027-01-04. Without it, today."
          value={value('valid_from') ?? ''}
          fault={faults['valid_from']}
        />
        <Field
          name="valid_to"
          label="Last day"
          isOptional
          hint="Without it, until it is removed."
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

const kinds = { off: 'Off', extra: 'Extra' } as const

const Exceptions = ({
  call,
  exceptions,
  nameOf,
}: Named & { exceptions: readonly CalendarExceptionRow[] }) => (
  <section class="part">
    <h2>Times off and extra times</h2>
    {exceptions.length === 0 ? (
      <p class="quiet">There are none.</p>
    ) : (
      <Table
        caption="Times off and extra times"
        head={['Clinician', 'Kind', 'From', 'To', '']}
        rows={exceptions.map(one => [
          nameOf.get(one.person) ?? '',
          kinds[one.kind],
          <Time key="from" at={one.starts_at} />,
          <Time key="to" at={one.ends_at} />,
          <Remove key="remove" call={call} id={one.id} what="it" />,
        ])}
      />
    )}
  </section>
)

const ExceptionForm = ({ call, people, faults }: FormProps) => {
  const value = valueOf(call)
  return (
    <section class="part">
      <h2>Add a time off or an extra time</h2>
      <RowForm call={call} path={call.pathOf('addException')} class="stack">
        <Select name="whose" label="Clinician" value={value('whose') ?? ''} options={people} />
        <Select
          name="kind"
          label="Kind"
          value={value('kind') ?? 'off'}
          options={[
            ['off', 'Off: no slot is offered'],
            ['extra', 'Extra: slots beside the weekly hours'],
          ]}
        />
        <Field
          name="from"
          label="From (UTC)"
          type="datetime-local"
          value={value('from') ?? ''}
          fault={faults['from']}
        />
        <Field
          name="to"
          label="To (UTC)"
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
