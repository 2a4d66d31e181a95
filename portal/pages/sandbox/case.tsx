// One sandbox case: its status, its next steps and its events.
import { isId, prefixes } from '#contract/ids.ts'
import type { Problem } from '#contract/problems.ts'
import { problems } from '#contract/problems.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Ago, Facts, Heading, Id, Table, Time } from '#http/html/parts.tsx'
import { faultsOf } from '../../form-faults.ts'
import { missing, problemText, refused } from '../../refused.tsx'
import { type CaseMove, caseMoves, possibleMoves, type SandboxCase } from './moves.ts'
import { type Faults, mayMove, MoveForm, OrderStatuses, Status, VisitTable } from './parts.tsx'

/** A refused move, whose form is shown again. */
type Refused = { readonly name: string; readonly problem: Problem }

export const showCase: PortalHandler = (_portal, call) => pageOf(call, null)

async function pageOf(call: MemberCall, failed: Refused | null): Promise<PageAnswer> {
  const id = call.names['id'] ?? ''
  const found = isId(prefixes.case, id) ? await call.api('getSandboxCase', { names: { id } }) : null
  if (found === null || found.problem?.code === 'not_found') {
    return missing('Case not found', call.pathOf('sandbox'), 'Sandbox')
  }
  if (found.problem !== null) return refused(call, 'Case', found.problem)
  const one = found.value
  return {
    title: 'Case',
    ...(failed !== null && { status: problems[failed.problem.code].status }),
    content: (
      <div id="case" class="page">
        <Heading title="Case" lead={<Id of={one.id} />} />
        {failed !== null && failed.problem.code !== 'invalid_request' && (
          <Alert>{problemText(failed.problem)}</Alert>
        )}
        <Facts
          of={[
            ['Status', <Status key="status" of={one.status} />],
            ['Orders', <OrderStatuses key="orders" orders={one.orders} />],
            ['Filed', <Time key="filed" at={one.created_at} clock="sandbox" />],
            ['Updated', <Time key="updated" at={one.updated_at} clock="sandbox" />],
          ]}
        />
        {mayMove(call) && <Moves call={call} one={one} failed={failed} />}
        {one.visits.length > 0 && (
          <section class="part">
            <h2>Visits</h2>
            <VisitTable call={call} of={one.visits} />
          </section>
        )}
        <Events call={call} events={one.events} />
      </div>
    ),
  }
}

const actors = {
  clinician: 'As the clinician',
  pharmacy: 'As the pharmacy',
  software: 'As your software',
} as const

type MovesProps = {
  readonly call: MemberCall
  readonly one: SandboxCase
  readonly failed: Refused | null
}

function Moves({ call, one, failed }: MovesProps) {
  const possible = possibleMoves(one)
  const faults: Faults = failed === null ? {} : namedByMember(failed.problem)
  return (
    <section class="part">
      <h2>Next steps</h2>
      {possible.length === 0 && <p class="quiet">This case is closed.</p>}
      {(Object.keys(actors) as CaseMove['actor'][]).map(actor => {
        const moves = possible.filter(([, move]) => move.actor === actor)
        return moves.length === 0 ? null : (
          <div key={actor} class="moves">
            <h3>{actors[actor]}</h3>
            <div class="row-actions">
              {moves.map(([name, move]) => {
                const given = failed?.name === name ? { form: call.form, faults } : undefined
                return (
                  <MoveForm
                    key={name}
                    id={one.id}
                    {...{ call, name, move }}
                    {...(given && { given })}
                  />
                )
              })}
            </div>
          </div>
        )
      })}
    </section>
  )
}

/** `#/tracking/number` and `#/answers/0/answer` are of the fields `number` and `answer`. */
function namedByMember(problem: Problem): Faults {
  const errors = problem.content.errors ?? []
  const last = errors.map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message])
  return { ...faultsOf(problem), ...(Object.fromEntries(last.toReversed()) as Faults) }
}

/** Events of the case, its prescriptions, orders and visits, newest first. */
const Events = ({ call, events }: { call: MemberCall } & Pick<SandboxCase, 'events'>) => (
  <section class="part">
    <h2>Events</h2>
    <Table
      caption="Events of the case"
      head={['Type', 'Created', 'Event']}
      rows={events.map(({ id, type, created_at }) => [
        <code key="type">{type}</code>,
        <Ago key="at" at={created_at} clock="sandbox" />,
        <Id key="id" of={id} href={call.pathOf('event', { id })} />,
      ])}
    />
  </section>
)

export const moveCase: PortalHandler = async (_portal, call) => {
  const id = call.names['id'] ?? ''
  const name = call.form.get('move') ?? ''
  const move = Object.hasOwn(caseMoves, name) ? caseMoves[name] : undefined
  const page = call.pathOf('sandboxCase', { id })
  if (move === undefined || !isId(prefixes.case, id)) return { redirect: page }
  const text = (field: string) => (call.form.get(field) ?? '').trim()
  const { problem } = await call.api(move.operation, { names: { id }, body: move.body(text) })
  if (problem === null) return { redirect: page, toast: { text: move.done } }
  return pageOf(call, { name, problem })
}
