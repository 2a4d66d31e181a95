// One sandbox case: its status, its next steps and its events.
import { isId, prefixes } from '#contract/ids.ts'
import type { Problem } from '#contract/problems.ts'
import { problems } from '#contract/problems.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Ago, Facts, Heading, Id, Table, Time } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { faultsOf } from '../../form-faults.ts'
import { synthetic } from '../../synthetic.ts'
import { missing, problemText, refused } from '../../refused.tsx'
import { type CaseMove, caseMoves, possibleMoves, type SandboxCase } from './moves.ts'
import { CaseConsents, newestOf } from './consents.tsx'
import {
  type Faults,
  mayMove,
  MoveForm,
  MoveTab,
  OrderStatuses,
  Status,
  VisitTable,
} from './parts.tsx'

/** A refused move, whose form is shown again. */
type RefusedMove = { readonly name: string; readonly problem: Problem }

export const showCase: PortalHandler = (_portal, call) => pageOf(call, null)

async function pageOf(call: MemberCall, failed: RefusedMove | null): Promise<PageAnswer> {
  const id = call.names['id'] ?? ''
  const found = isId(prefixes.case, id) ? await call.api('getSandboxCase', { names: { id } }) : null
  if (found === null || found.problem?.code === 'not_found') {
    return missing('Case not found', call.pathOf('sandbox'), 'Sandbox')
  }
  if (found.problem !== null) return refused(call, 'Case', found.problem)
  const one = found.value
  const given = await call.api('listConsents', {
    names: { id: one.patient },
    query: { limit: '100' },
  })
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
        {given.problem === null && <CaseConsents call={call} id={id} consents={given.value.data} />}
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
  readonly failed: RefusedMove | null
}

function Moves({ call, one, failed }: MovesProps) {
  const possible = possibleMoves(one)
  // A form that was kept is shown again, without faults.
  const name = failed?.name ?? typedIn(call, 'moveCase', 'move')
  const open = name ?? possible.findLast(([, { isUsual }]) => isUsual)?.[0]
  const faults = failed === null ? {} : namedByMember(failed.problem)
  const given = name === null ? undefined : { form: call.form, faults }
  return (
    <section class="part">
      <h2>Next steps</h2>
      {possible.length === 0 && <p class="quiet">This case is closed.</p>}
      {(Object.keys(actors) as CaseMove['actor'][]).map(actor => {
        const moves = possible.filter(([, move]) => move.actor === actor)
        const [buttons, tabs] = [
          moves.filter(([, { fields }]) => fields.length === 0),
          moves.filter(([, { fields }]) => fields.length > 0),
        ]
        return moves.length === 0 ? null : (
          <div key={actor} class="moves">
            <h3>{actors[actor]}</h3>
            {buttons.length > 0 && (
              <div class="row-actions">
                {buttons.map(([name, move]) => (
                  <MoveForm key={name} id={one.id} {...{ call, name, move }} />
                ))}
              </div>
            )}
            {tabs.length > 0 && (
              <div class="move-tabs" role="radiogroup" aria-label={actors[actor]}>
                {tabs.map(([name, move]) => (
                  <MoveTab
                    key={name}
                    id={one.id}
                    isOpen={name === open}
                    {...{ call, name, move }}
                    {...(name === failed?.name && given && { given })}
                  />
                ))}
              </div>
            )}
          </div>
        )
      })}
    </section>
  )
}

/** `#/tracking/number` and `#/answers/0/answer` are the fields `number` and `answer`. */
function namedByMember(problem: Problem): Faults {
  const errors = problem.content.errors ?? []
  const last = errors.map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message])
  return { ...faultsOf(problem), ...(Object.fromEntries(last.toReversed()) as Faults) }
}

/** Events for the case and its prescriptions, orders and visits, newest first. */
const Events = ({ call, events }: { call: MemberCall } & Pick<SandboxCase, 'events'>) => (
  <section class="part">
    <h2>Events</h2>
    <Table
      caption="Case events"
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

/** Records the current versions if the patient's consents are no longer valid, or files another
 *  case with the newest consents, as software that doesn't ask the patient again would. */
export const renewConsents: PortalHandler = async (_portal, call) => {
  const id = call.names['id'] ?? ''
  const page = { redirect: call.pathOf('sandboxCase', { id }) }
  const found = isId(prefixes.case, id) ? await call.api('getSandboxCase', { names: { id } }) : null
  if (found === null || found.problem !== null) return page
  const { patient } = found.value
  const failed = (problem: Problem) => pageOf(call, { name: 'consents', problem })
  const given = await call.api('listConsents', { names: { id: patient }, query: { limit: '100' } })
  if (given.problem !== null) return failed(given.problem)
  const newest = newestOf(given.value.data)
  if (call.form.get('step') === 'file') {
    const body = synthetic.case(
      patient,
      newest.map(one => one.id),
    )
    const filed = await call.api('createCase', { body })
    if (filed.problem !== null) return failed(filed.problem)
    const redirect = call.pathOf('sandboxCase', { id: filed.value.id })
    return { redirect, toast: { text: 'Test case filed' } }
  }
  for (const { kind, status, version_in_force: version } of newest) {
    if (status === 'current' || version === null) continue
    const { problem } = await call.api('recordConsent', {
      names: { id: patient },
      body: synthetic.consent(kind, version),
      key: `${call.form.get('once') ?? ''}.${kind}`,
    })
    if (problem !== null) return failed(problem)
  }
  return { ...page, toast: { text: 'Consent recorded' } }
}
