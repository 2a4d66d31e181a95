// The sandbox: cases, visits, autopilot and clock.
import { caseStatuses } from '#contract/states.ts'
import type { Problem } from '#contract/problems.ts'
import { problems } from '#contract/problems.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Ago, Empty, Heading, Id, Pager, RowForm, Table } from '#http/html/parts.tsx'
import { Choice, FilterForm } from '#http/html/filter-form.tsx'
import { filtersOf, isPaged, newestPageOf, positionOf } from '../../newest-page.ts'
import { faultsOf } from '../../form-faults.ts'
import { problemText, refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { ConsentDocuments } from './consents.tsx'
import { AutopilotForm, ClockPart, ResetForm } from './controls.tsx'
import { type ListedCase, usualMove } from './moves.ts'
import { type Faults, mayMove, MoveForm, OrderStatuses, Status, VisitTable } from './parts.tsx'

/** A refused form, which is shown again. */
export type Failed = {
  readonly form: 'autopilot' | 'clock' | 'consents' | 'reset' | 'other'
  readonly problem: Problem
}

const rows = {
  autopilot: 'setAutopilot',
  clock: 'setClock',
  consents: 'publishConsent',
  reset: 'resetSandbox',
  other: 'runLoop',
} as const

/** Whether the page shows a form that was kept, with its entries. */
const isKept = ({ row }: MemberCall, form: Failed['form']) => row === rows[form]

export const showSandbox: PortalHandler = (_portal, call) => sandboxPage(call, null)

export async function sandboxPage(call: MemberCall, failed: Failed | null): Promise<PageAnswer> {
  const { status } = filtersOf(call, ['status'])
  const found = await call.api('listSandboxCases', { query: { status, ...positionOf(call) } })
  if (found.problem !== null) return refused(call, 'Sandbox', found.problem)
  const visits = await call.api('listSandboxVisits', { query: { limit: '10' } })
  const faultsFor = (form: Failed['form']): Faults | null =>
    failed?.form === form ? faultsOf(failed.problem) : isKept(call, form) ? {} : null
  const cases = found.value.data
  const isEmpty = cases.length === 0 && status === undefined && !isPaged(call)
  return {
    title: 'Sandbox',
    ...(failed !== null && { status: problems[failed.problem.code].status }),
    content: (
      <div id="sandbox" class="page">
        <Heading
          title="Sandbox"
          lead="Synthetic patients only. You play the clinician and the pharmacy, and every step sends its event."
          action={!isEmpty && mayMove(call) && <LoopForm call={call} isSecond />}
        />
        {failed !== null && failed.problem.code !== 'invalid_request' && (
          <Alert>{problemText(failed.problem)}</Alert>
        )}
        {isEmpty ? <NoCase call={call} /> : <Cases call={call} cases={cases} status={status} />}
        {visits.problem === null && visits.value.data.length > 0 && (
          <section class="part">
            <h2>Recent visits</h2>
            <VisitTable call={call} of={visits.value.data.slice(0, 10)} />
          </section>
        )}
        {mayMove(call) && (
          <>
            {await AutopilotForm(call, faultsFor('autopilot'))}
            {await ClockPart(call, faultsFor('clock'))}
            {await ConsentDocuments(call, faultsFor('consents'))}
            <ResetForm call={call} faults={faultsFor('reset')} />
          </>
        )}
      </div>
    ),
  }
}

const LoopForm = ({ call, isSecond = false }: { call: MemberCall; isSecond?: boolean }) => (
  <RowForm call={call} path={call.pathOf('runLoop')}>
    <button class={isSecond ? 'button second' : 'button'}>File test case</button>
  </RowForm>
)

const NoCase = ({ call }: { call: MemberCall }) => (
  <Empty title="No cases yet">
    <p>
      File one through the API by following the steps on <a href={call.pathOf('home')}>Home</a>, or
      file a test case with a synthetic patient and both consents.
    </p>
    {mayMove(call) && <LoopForm call={call} />}
  </Empty>
)

type CasesProps = {
  readonly call: MemberCall
  readonly cases: readonly ListedCase[]
  readonly status: string | undefined
}

function Cases({ call, cases, status }: CasesProps) {
  const { shown, older, newer } = newestPageOf(call, 'sandbox', { status }, cases)
  return (
    <section class="part">
      <h2>Cases</h2>
      <FilterForm path={call.pathOf('sandbox')} isFiltered={status !== undefined}>
        <Choice
          name="status"
          label="Status"
          value={status}
          options={caseStatuses.map(one => [one, statusText(one)] as const)}
        />
      </FilterForm>
      <div id="results">
        {shown.length === 0 ? (
          <p class="quiet">No cases with this status.</p>
        ) : (
          <Table
            caption="Cases"
            head={['Case', 'Status', 'Orders', 'Filed', 'Next']}
            rows={shown.map(one => rowOf(call, one))}
          />
        )}
        <Pager older={older} newer={newer} />
      </div>
    </section>
  )
}

/** The usual move is a button. Other moves are on the case's page. */
function rowOf(call: MemberCall, one: ListedCase) {
  const usual = usualMove(one)
  const page = call.pathOf('sandboxCase', { id: one.id })
  return [
    <Id key="id" of={one.id} href={page} />,
    <Status key="status" of={one.status} />,
    <OrderStatuses key="orders" orders={one.orders} />,
    <Ago key="filed" at={one.created_at} clock="sandbox" />,
    <div key="next" class="row-actions">
      {usual !== undefined && mayMove(call) && (
        <MoveForm
          call={call}
          id={one.id}
          name={usual[0]}
          move={{ ...usual[1], fields: [], isUsual: false }}
        />
      )}
      <a class="more" href={page}>
        More
      </a>
    </div>,
  ]
}
