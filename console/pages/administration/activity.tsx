// Shows who saw which patient, when, and through which operation.

import { auditText } from '#contract/console/audit-texts.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { Problem } from '#contract/problems.ts'
import { listStaff, type StaffMemberRow } from '#auth/clinics/staff.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import { Choice, FilterForm, MomentFields } from '#http/html/filter-form.tsx'
import { Badge, Heading, Pager, Table } from '#http/html/parts.tsx'
import { momentFrom, timeIn } from '#http/html/zone.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import { listFile } from '../../list-file.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'

type Row = Extract<OperationResult<'listActivity'>, { problem: null }>['value']['data'][number]

/** The URL's filters. An invalid filter is reported and left out. */
function filtersOf({ query, zone }: ConsoleCall) {
  const moment = (name: string) => momentFrom(query.get(name) ?? '', zone)
  const patient = (query.get('patient') ?? '').trim()
  const person = query.get('person') ?? ''
  const wrong = (name: string) => (query.get(name) ?? '') !== '' && moment(name) === undefined
  const fault = (name: string) => (wrong(name) ? 'Enter a date and a time.' : undefined)
  return {
    given: {
      person: isId(prefixes.person, person) ? person : undefined,
      patient: isId(prefixes.patient, patient) ? patient : undefined,
      since: moment('since'),
      until: moment('until'),
    },
    text: { patient, since: query.get('since') ?? '', until: query.get('until') ?? '' },
    faults: {
      patient:
        patient === '' || isId(prefixes.patient, patient)
          ? undefined
          : 'Enter a full patient ID, such as pat_01m8….',
      since: fault('since'),
      until: fault('until'),
    },
  }
}

const activity: ConsoleHandler = async (context, call) => {
  const filters = filtersOf(call)
  const { given, text, faults } = filters
  // Rows without the invalid filter would be taken for its rows.
  if (isInvalid(faults)) {
    const isPart = call.request.headers.has('hx-request')
    return activityPage(context, call, filters, isPart ? <Invalid faults={faults} /> : null)
  }
  const before = call.query.get('before') ?? undefined
  const found = await call.perform('listActivity', { query: { ...given, before } })
  if (found.problem !== null) return refused('Activity', found.problem)
  const { data, next } = found.value
  const isOfOne = given.patient !== undefined
  const at = (more: { before?: string } = {}) =>
    call.pathOf('activity', {}, { ...queryOf(text, given), ...more })
  const results = (
    <>
      {/* Each change of a filter replaces the results, and the links have to follow it. */}
      <div class="actions">
        <a class="button second small" href={call.pathOf('activityCsv', {}, queryOf(text, given))}>
          Download CSV
        </a>
        {given.patient !== undefined && <PatientLinks call={call} id={given.patient} />}
      </div>
      {data.length === 0 ? (
        <p class="quiet">No matches.</p>
      ) : (
        <Table
          caption="Activity"
          head={['When', 'Who', 'What', ...(isOfOne ? [] : ['Patient']), 'Outcome']}
          rows={data.map(row => cellsOf(row, call.zone, isOfOne ? [] : [patientOf(call, row)]))}
        />
      )}
      <Pager
        older={next === null ? null : at({ before: next })}
        newer={before === undefined ? null : at()}
        newerText="Latest"
      />
    </>
  )
  return activityPage(context, call, filters, results)
}

async function activityPage(
  { pool }: ConsoleContext,
  call: ConsoleCall,
  filters: Filters,
  results: ComponentChildren,
) {
  const { organization } = call.staff
  const staff = await pool.use(connection => listStaff(connection, organization))
  const { patient } = filters.given
  return {
    title: 'Activity',
    status: isInvalid(filters.faults) ? 422 : 200,
    content: (
      <>
        <Heading
          title={patient === undefined ? 'Activity' : 'Staff activity for a patient'}
          lead={
            patient === undefined
              ? 'Staff activity, newest first. Viewing a list, such as the queue, adds one row. Choose a patient to see which lists they appeared in.'
              : `Everything staff opened or changed for ${patient}, and every list that showed them, newest first.`
          }
        />
        <Filters call={call} staff={staff} filters={filters} />
        <div id="results" class="stack-of">
          {results}
        </div>
      </>
    ),
  }
}

/** A script that applies a filter replaces only the results, so its errors are among them. */
const Invalid = ({ faults }: { faults: Filters['faults'] }) => (
  <Alert>
    {[...new Set(Object.values(faults).filter(fault => fault !== undefined))].join(' ')}
  </Alert>
)

const PatientLinks = ({ call, id }: { call: ConsoleCall; id: string }) => (
  <>
    <a class="button second small" href={call.pathOf('patientAccess', { id })}>
      Who saw this patient
    </a>
    {call.mayOpen('patientRecord') && (
      <a class="button second small" href={call.pathOf('patientRecord', { id })}>
        Disclosures and holds
      </a>
    )}
  </>
)

type FiltersProps = {
  readonly call: ConsoleCall
  readonly staff: readonly StaffMemberRow[]
  readonly filters: Filters
}

const Filters = ({ call, staff, filters: { given, text, faults } }: FiltersProps) => (
  <FilterForm path={call.pathOf('activity')} isFiltered={call.query.size > 0}>
    <Choice
      name="person"
      label="Person"
      value={given.person}
      options={staff.map(one => [one.person, one.name] as const)}
    />
    <Field
      name="patient"
      label="Patient"
      value={text.patient}
      fault={faults.patient}
      input={{ required: false, placeholder: 'pat_…', spellcheck: false }}
    />
    <MomentFields since={text.since} until={text.until} faults={faults} />
  </FilterForm>
)

type Filters = ReturnType<typeof filtersOf>

const isInvalid = (faults: Filters['faults']) =>
  Object.values(faults).some(fault => fault !== undefined)

const queryOf = (text: Filters['text'], { person }: Filters['given']) => ({ ...text, person })

const patientOf = (call: ConsoleCall, { patient }: Row) =>
  patient === null ? (
    <span class="quiet">None</span>
  ) : (
    <a href={call.pathOf('activity', {}, { patient })}>
      <code>{patient}</code>
    </a>
  )

/** A person who was refused, because they work at another clinic or at none. */
const Outsider = ({ id }: { id: string }) => (
  <>
    Not on your staff
    <br />
    <code>{id}</code>
  </>
)

/** `patient` is empty if all rows are about one patient. */
const cellsOf = (row: Row, zone: string, patient: readonly ComponentChildren[]) => [
  <span class="moment">{timeIn(row.at, zone, { seconds: true })}</span>,
  <>
    {row.name ?? (row.person === null ? 'Operator' : <Outsider id={row.person} />)}
    {row.is_emergency && (
      <>
        {' '}
        <Badge tone="waiting">Emergency access</Badge>
      </>
    )}
  </>,
  <>
    {auditText(row.operation)}
    {row.target !== null && row.target !== row.patient && (
      <>
        <br />
        <code>{row.target}</code>
      </>
    )}
  </>,
  ...patient,
  row.outcome === 'ok' || row.outcome === 'replayed' ? (
    <Badge tone="good">Done</Badge>
  ) : (
    <Badge tone="bad">
      {row.code === null ? statusText(row.outcome) : `Refused: ${row.code.replaceAll('_', ' ')}`}
    </Badge>
  ),
]

const csv: ConsoleHandler = async (_, call) => {
  const { given, text, faults } = filtersOf(call)
  // A file without an invalid filter would have rows that nobody asked for. The page names it.
  if (isInvalid(faults)) return { redirect: call.pathOf('activity', {}, queryOf(text, given)) }
  const { zone } = call
  const file = await listFile({
    name: 'activity.csv',
    head: fileHead(zone),
    read: query => call.perform('listActivity', { query: { ...given, ...query } }),
    cellsIn: ({ data }) => data.map(row => fileCells(row, zone)),
  })
  return file instanceof Problem ? refused('Activity', file) : file
}

const fileHead = (zone: string) => [
  'at',
  zone,
  'person',
  'name',
  'operation',
  'target',
  'patient',
  'outcome',
  'code',
  'address',
  'emergency_access',
]

const fileCells = (row: Row, zone: string) => [
  row.at,
  timeIn(row.at, zone, { seconds: true }),
  row.person,
  row.name,
  row.operation,
  row.target,
  row.patient,
  row.outcome,
  row.code,
  row.address,
  row.is_emergency ? 'yes' : 'no',
]

export const activityHandlers = {
  activity,
  activityCsv: csv,
} satisfies Record<string, ConsoleHandler>
