// The cases of a clinic that wait, the oldest first.
import { hourMilliseconds } from '#contract/moments.ts'
import { queueStatuses } from '#contract/console/cases.ts'
import { Choice, FilterForm } from '#http/html/filter-form.tsx'
import { Badge, Empty, Heading, NextPage, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import type { Query } from '#http/pages/table.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '../../words.ts'
import { medicationNames } from '../medications.ts'

type Queued = Extract<OperationResult<'listQueue'>, { problem: null }>['value']['data'][number]

const ages = [
  ['1', 'An hour'],
  ['24', 'A day'],
  ['72', 'Three days'],
] as const

const names = ['status', 'show', 'age'] as const

export const showQueue: ConsoleHandler = async ({ now }, call) => {
  const filters = Object.fromEntries(
    names.map(name => [name, call.query.get(name)?.trim() || undefined]),
  ) as Record<(typeof names)[number], string | undefined>
  const age = ages.find(([hours]) => hours === filters.age)?.[0]
  const created_before = age && new Date(now() - Number(age) * hourMilliseconds).toISOString()
  const { status, show } = filters
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listQueue', {
    id: null,
    query: { status, show, created_before, starting_after },
  })
  if (found.problem) return refused('Queue', found.problem)
  const { data, has_more } = found.value
  const next = has_more ? call.pathOf('queue', {}, { ...filters, after: data.at(-1)?.id }) : null
  return {
    title: 'Queue',
    content: (
      <>
        <Heading
          title="Queue"
          lead="Cases that wait for the clinic or for an answer, the oldest first."
        />
        <Filters call={call} filters={filters} />
        <div id="results">
          {data.length === 0 ? (
            <NoCases call={call} filters={filters} />
          ) : (
            <Table
              caption="Cases that wait"
              head={['Patient', 'Requested', 'Status', 'Filed', 'With', 'From']}
              rows={data.map(one => rowOf(call, one))}
            />
          )}
          <NextPage next={next} first={starting_after ? call.pathOf('queue', {}, filters) : null} />
        </div>
      </>
    ),
  }
}

const rowOf = (call: ConsoleCall, { id, patient, medications, status, ...one }: Queued) => [
  <a key="case" href={call.pathOf('case', { id })}>
    {patient.first_name} {patient.last_name}
    <span class="fine"> {patient.state}</span>
  </a>,
  medicationNames(medications),
  <Badge key="status" tone={status.startsWith('waiting') ? 'plain' : 'waiting'}>
    {statusText(status)}
  </Badge>,
  <Time key="filed" at={one.created_at} />,
  one.claim === null ? (
    <span class="quiet">No one</span>
  ) : one.claim.person === call.session.person.id ? (
    <strong key="claim">You</strong>
  ) : (
    one.claim.name
  ),
  one.integration.name,
]

const isClinician = ({ staff }: ConsoleCall) => staff.roles.includes('clinician')

const Filters = ({ call, filters }: { call: ConsoleCall; filters: Query }) => (
  <FilterForm
    path={call.pathOf('queue')}
    isFiltered={Object.values(filters).some(value => value !== undefined)}
  >
    <Choice
      name="status"
      label="Status"
      value={filters['status']}
      options={queueStatuses.map(status => [status, statusText(status)] as const)}
    />
    <Choice name="age" label="Older than" value={filters['age']} options={ages} />
    {isClinician(call) && (
      <Choice
        name="show"
        label="States"
        value={filters['show']}
        any="Of your licenses"
        options={[['all', 'All states']]}
      />
    )}
  </FilterForm>
)

function NoCases({ call, filters }: { call: ConsoleCall; filters: Query }) {
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  if (isFiltered) {
    return (
      <Empty title="No case fits these filters">
        <p>
          <a href={call.pathOf('queue')}>Show the whole queue</a>
        </p>
      </Empty>
    )
  }
  const isLimited = isClinician(call)
  return (
    <Empty title="No case waits">
      {isLimited && call.staff.states.length === 0 && (
        <p>You hold no license that is valid today. An administrator records licenses.</p>
      )}
      {isLimited && (
        <p>
          This shows patients of the states of your licenses.{' '}
          <a href={call.pathOf('queue', {}, { show: 'all' })}>Show all states</a>
        </p>
      )}
      {!isLimited && <p>Cases appear here when an integration files them.</p>}
    </Empty>
  )
}
