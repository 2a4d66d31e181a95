// Undecided cases, oldest first: those to review, the clinician's own, and those waiting for an
// answer.
import { hourMilliseconds } from '#contract/moments.ts'
import { queueViews } from '#contract/console/cases.ts'
import { Choice, FilterForm } from '#http/html/filter-form.tsx'
import { Badge, Empty, Heading, NextPage, Table } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import type { Query } from '#http/pages/table.ts'
import { PatientCell } from './patient-cell.tsx'
import { TakeNext } from './take-next.tsx'
import { refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { medicationNames } from '../medications.ts'
import { CaseTabs } from './case-tabs.tsx'
import { TimeAndAge } from './time-and-age.tsx'

type Queued = Extract<OperationResult<'listQueue'>, { problem: null }>['value']['data'][number]
type View = (typeof queueViews)[number]

const ages = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['72', '3 days'],
] as const

const titles: Readonly<Record<View, string>> = {
  open: 'Open cases',
  mine: 'Your cases',
  waiting: 'Waiting cases',
}

const names = ['show', 'age'] as const

export const showQueue: ConsoleHandler = async (context, call) => {
  const view = queueViews.find(one => one === call.query.get('view')) ?? 'open'
  const filters = Object.fromEntries(
    names.map(name => [name, call.query.get(name)?.trim() || undefined]),
  ) as Record<(typeof names)[number], string | undefined>
  const age = ages.find(([hours]) => hours === filters.age)?.[0]
  const created_before =
    age && new Date(context.now() - Number(age) * hourMilliseconds).toISOString()
  const { show } = filters
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listQueue', {
    id: null,
    query: { view, show, created_before, starting_after },
  })
  if (found.problem) return refused('Queue', found.problem)
  const { data, has_more } = found.value
  const here = { view: view === 'open' ? undefined : view, ...filters }
  const next = has_more ? call.pathOf('queue', {}, { ...here, after: data.at(-1)?.id }) : null
  return {
    title: titles[view],
    content: (
      <>
        <Heading title="Queue" action={<TakeNext call={call} />} />
        <CaseTabs call={call} current={view} />
        <Filters call={call} view={view} filters={filters} />
        <div id="results">
          {data.length === 0 ? (
            <NoCases call={call} view={view} filters={filters} />
          ) : (
            <Table
              caption={titles[view]}
              head={['Patient', 'Requested', 'Status', 'Filed', 'Assigned to', 'From']}
              rows={data.map(one => rowOf(context, call, one))}
            />
          )}
          <NextPage next={next} first={starting_after ? call.pathOf('queue', {}, here) : null} />
        </div>
      </>
    ),
  }
}

const rowOf = (context: ConsoleContext, call: ConsoleCall, one: Queued) => [
  <PatientCell key="case" context={context} call={call} of={one} />,
  medicationNames(one.medications),
  <Badge key="status" tone={one.status.startsWith('waiting') ? 'plain' : 'waiting'}>
    {statusText(one.status)}
  </Badge>,
  <TimeAndAge key="filed" at={one.created_at} now={context.now()} />,
  one.claim === null ? (
    <span class="quiet">Unassigned</span>
  ) : one.claim.person === call.session.person.id ? (
    <strong key="claim">You</strong>
  ) : (
    one.claim.name
  ),
  one.integration.name,
]

const isClinician = ({ staff }: ConsoleCall) => staff.roles.includes('clinician')

type ViewProps = { readonly call: ConsoleCall; readonly view: View; readonly filters: Query }

const isFiltered = (filters: Query) => Object.values(filters).some(value => value !== undefined)

const Filters = ({ call, view, filters }: ViewProps) =>
  view === 'mine' ? null : (
    <FilterForm
      path={call.pathOf('queue', {}, view === 'open' ? {} : { view })}
      isFiltered={isFiltered(filters)}
    >
      {view !== 'open' && <input type="hidden" name="view" value={view} />}
      <Choice name="age" label="Older than" value={filters['age']} options={ages} />
      {isClinician(call) && (
        <Choice
          name="show"
          label="States"
          value={filters['show']}
          any="Your licenses"
          options={[['all', 'All states']]}
        />
      )}
    </FilterForm>
  )

const empty: Readonly<Record<View, string>> = {
  open: 'No open cases',
  mine: 'No cases assigned to you',
  waiting: 'No cases waiting for an answer',
}

function NoCases({ call, view, filters }: ViewProps) {
  const path = (more: Query = {}) =>
    call.pathOf('queue', {}, { view: view === 'open' ? undefined : view, ...more })
  if (isFiltered(filters)) {
    return (
      <Empty title="No cases match these filters">
        <p>
          <a href={path()}>Clear the filters</a>
        </p>
      </Empty>
    )
  }
  if (view === 'mine') {
    return (
      <Empty title={empty.mine}>
        <p>
          <a href={call.pathOf('queue')}>Open cases</a> are still unassigned.
        </p>
      </Empty>
    )
  }
  const isLimited = isClinician(call)
  return (
    <Empty title={empty[view]}>
      {isLimited && call.staff.states.length === 0 && (
        <p>You have no current license. An administrator records licenses under Staff.</p>
      )}
      {isLimited && (
        <p>
          This list shows patients in the states of your licenses.{' '}
          <a href={path({ show: 'all' })}>Show all states</a>
        </p>
      )}
      {!isLimited && view === 'open' && <p>Cases appear here when an integration files them.</p>}
    </Empty>
  )
}
