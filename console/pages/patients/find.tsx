// Finds patients by name, contact details, order or ID. Without a search, lists the newest
// patients.
import { localDay } from '#http/html/zone.tsx'
import { searchLengthMax } from '#contract/console/patients.ts'
import { Badge, Empty, Heading, NextPage, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { medicationName } from '../medications.ts'
import { OrderState } from '../orders/state.tsx'
import { bornText, patientName } from '../patient-name.ts'
import { patientPath } from '../search.tsx'

type PatientMatches = Extract<OperationResult<'findPatients'>, { problem: null }>['value']
type ListedPatient = PatientMatches['data'][number]

export const showPatients: ConsoleHandler = ({ now }, call) => {
  const q = (call.query.get('q') ?? '').trim().slice(0, searchLengthMax)
  const today = localDay(now(), call.zone)
  return q === '' ? newest(call, today) : results(call, today, q)
}

const SearchForm = ({ call, q }: { call: ConsoleCall; q: string }) => (
  <form
    class="find"
    role="search"
    method="get"
    action={call.pathOf('patients')}
    hx-get={call.pathOf('patients')}
    hx-trigger="input changed delay:250ms from:#find-q, submit"
    hx-select="#results"
    hx-target="#results"
    hx-swap="outerHTML"
    hx-sync="this:replace"
  >
    <div class="field">
      <label for="find-q">Find a patient</label>
      <p class="hint" id="find-hint">
        Search by name and date of birth, phone, email, order number or ID.
      </p>
      <input
        id="find-q"
        name="q"
        type="search"
        value={q}
        maxlength={searchLengthMax}
        autocomplete="off"
        spellcheck={false}
        autofocus
        aria-describedby="find-hint"
      />
    </div>
    <button class="button second">Search</button>
  </form>
)

async function newest(call: ConsoleCall, today: Temporal.PlainDate) {
  const before = call.query.get('before') ?? undefined
  // The pharmacy can find the patients of its orders, but can't list any.
  const found = call.mayOpen('patient')
    ? await call.perform('listClinicPatients', { id: null, query: { before } })
    : null
  if (found?.problem) return refused('Patients', found.problem)
  const { data, has_more } = found?.value ?? { data: [], has_more: false }
  const next = has_more ? call.pathOf('patients', {}, { before: data.at(-1)?.id }) : null
  return {
    title: 'Patients',
    content: (
      <>
        <Heading title="Patients" />
        <SearchForm call={call} q="" />
        <div id="results">
          {found === null ? null : data.length === 0 ? (
            <Empty title="No patients yet">
              <p>Patients appear here when an integration creates them.</p>
            </Empty>
          ) : (
            <>
              <h2>Newest</h2>
              <People call={call} of={data} today={today} />
            </>
          )}
          <NextPage next={next} first={before === undefined ? null : call.pathOf('patients')} />
        </div>
      </>
    ),
  }
}

const narrower = 'Add a date of birth or another name.'

async function results(call: ConsoleCall, today: Temporal.PlainDate, q: string) {
  const answer = await call.perform('findPatients', { id: null, query: { q } })
  if (answer.problem) return refused('Patients', answer.problem)
  const { data, has_more, found } = answer.value
  return {
    title: `${q} · Patients`,
    content: (
      <>
        <Heading title="Patients" />
        <SearchForm call={call} q={q} />
        <div id="results" aria-live="polite">
          {found !== null && <Target call={call} found={found} />}
          {data.length > 0 ? (
            <People call={call} of={data} today={today} />
          ) : has_more ? (
            <Empty title="Too many matches">
              <p>{narrower}</p>
            </Empty>
          ) : (
            <Empty title="No patients found">
              <p>
                Check the spelling, or try a date of birth, phone, email, order number or ID. We
                searched only this clinic{call.mayOpen('patient') ? '' : '’s orders'}.
              </p>
            </Empty>
          )}
          {has_more && data.length > 0 && <p class="note">More patients may match. {narrower}</p>}
        </div>
      </>
    ),
  }
}

/** Links to an ID's page, if it isn't a patient's ID. */
function Target({
  call,
  found: { type, id },
}: {
  call: ConsoleCall
  found: NonNullable<PatientMatches['found']>
}) {
  if ((type !== 'case' && type !== 'order') || !call.mayOpen(type)) return null
  return (
    <p class="actions">
      <a class="button" href={call.pathOf(type, { id })}>
        Open {type}
      </a>
    </p>
  )
}

type PeopleProps = {
  readonly call: ConsoleCall
  readonly of: readonly ListedPatient[]
  readonly today: Temporal.PlainDate
}

const People = ({ call, of, today }: PeopleProps) => (
  <Table
    caption="Patients"
    head={['Patient', 'Date of birth', ...(call.mayOpen('case') ? ['Case'] : []), 'Order', 'From']}
    rows={of.map(one => [
      <Name key="name" call={call} patient={one} />,
      <span key="born" class="moment">
        {bornText(one.date_of_birth, today)}
      </span>,
      ...(call.mayOpen('case') ? [<NewestCase key="case" call={call} of={one.case} />] : []),
      <NewestOrder key="order" call={call} of={one.order} />,
      <>
        {one.integration.name}
        {one.external_id !== null && <span class="fine"> {one.external_id}</span>}
      </>,
    ])}
  />
)

const Name = ({ call, patient }: { call: ConsoleCall; patient: ListedPatient }) => (
  <>
    <a href={patientPath(call, patient)}>{patientName(patient)}</a>
    <span class="fine"> {patient.state}</span>
    {patient.status === 'deleted' && (
      <>
        {' '}
        <Badge tone="plain">Deleted by integration</Badge>
      </>
    )}
  </>
)

const none = <span class="quiet">None</span>

const NewestCase = ({ call, of }: { call: ConsoleCall; of: ListedPatient['case'] }) =>
  of === null ? (
    none
  ) : (
    <>
      <a href={call.pathOf('case', { id: of.id })}>{statusText(of.status)}</a>{' '}
      <span class="fine">
        <Time at={of.created_at} />
      </span>
    </>
  )

const NewestOrder = ({ call, of }: { call: ConsoleCall; of: ListedPatient['order'] }) =>
  of === null ? (
    none
  ) : (
    <>
      <a href={call.pathOf('order', { id: of.id })}>{medicationName(of.medication_id)}</a>{' '}
      <OrderState status={of.status} />
    </>
  )
