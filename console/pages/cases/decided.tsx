// Decided cases, latest decision first, with who decided.
import { decisions } from '#contract/console/cases.ts'
import { Choice, FilterForm } from '#http/html/filter-form.tsx'
import { Badge, Empty, Heading, Pager, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { medicationNames } from '../medications.ts'
import { PatientCell } from './patient-cell.tsx'
import { CaseTabs } from './case-tabs.tsx'

type Decided = Extract<OperationResult<'listDecided'>, { problem: null }>['value']['data'][number]

export const showDecided: ConsoleHandler = async (context, call) => {
  const by = call.query.get('by') === 'me' ? 'me' : undefined
  const status = decisions.find(one => one === call.query.get('status'))
  const before = call.query.get('before') ?? undefined
  const found = await call.perform('listDecided', { id: null, query: { by, status, before } })
  if (found.problem) return refused('Decided cases', found.problem)
  const { data, has_more } = found.value
  const isFiltered = by !== undefined || status !== undefined
  const at = (more: { before?: string | undefined }) =>
    call.pathOf('decided', {}, { by, status, ...more })
  return {
    title: 'Decided cases',
    content: (
      <>
        <Heading title="Decided cases" />
        <CaseTabs call={call} current="decided" />
        <FilterForm path={call.pathOf('decided')} isFiltered={isFiltered}>
          <Choice name="by" label="Decided by" value={by} any="Anyone" options={[['me', 'You']]} />
          <Choice
            name="status"
            label="Decision"
            value={status}
            options={decisions.map(one => [one, statusText(one)] as const)}
          />
        </FilterForm>
        <div id="results">
          {data.length === 0 ? (
            <Empty title={isFiltered ? 'No cases match these filters' : 'No decided cases yet'}>
              <p>
                {isFiltered ? (
                  <a href={call.pathOf('decided')}>Show all decided cases</a>
                ) : (
                  'Cases appear here when a clinician approves or declines them.'
                )}
              </p>
            </Empty>
          ) : (
            <Table
              caption="Decided cases"
              head={['Patient', 'Requested', 'Decision', 'By', 'Decided', 'From']}
              rows={data.map(one => rowOf(context, call, one))}
            />
          )}
          <Pager
            older={has_more ? at({ before: data.at(-1)?.id }) : null}
            newer={before === undefined ? null : at({})}
            newerText="Latest"
          />
        </div>
      </>
    ),
  }
}

const rowOf = (context: ConsoleContext, call: ConsoleCall, one: Decided) => [
  <PatientCell key="case" context={context} call={call} of={one} />,
  medicationNames(one.medications),
  <Badge key="status" tone={one.status === 'approved' ? 'good' : 'plain'}>
    {statusText(one.status)}
  </Badge>,
  one.decided_by?.person === call.session.person.id ? (
    <strong key="by">You</strong>
  ) : (
    one.decided_by?.name
  ),
  <Time key="at" at={one.decided_at} />,
  one.integration.name,
]
