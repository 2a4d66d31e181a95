// Statuses in words, and the forms that change them.
import type { MemberCall } from '../../context.ts'
import { Badge, Id, RowForm, Table, Time } from '#http/html/parts.tsx'
import { statusText } from '#http/html/status-text.ts'
import { Field, Hidden, Select, TextArea } from '#http/html/fields.tsx'
import {
  type CaseMove,
  type ListedCase,
  possibleVisitMoves,
  type SandboxVisit,
  visitMoves,
} from './moves.ts'

const tones = {
  received: 'plain',
  queued: 'plain',
  in_review: 'plain',
  waiting_on_patient: 'waiting',
  waiting_on_integration: 'waiting',
  approved: 'good',
  declined: 'bad',
  cancelled: 'plain',
  withdrawn: 'plain',
  created: 'plain',
  at_pharmacy: 'plain',
  shipped: 'good',
  delivered: 'good',
  blocked: 'waiting',
  failed: 'bad',
  scheduled: 'plain',
  started: 'good',
  completed: 'good',
  no_show: 'bad',
} as const

export const Status = ({ of }: { of: keyof typeof tones }) => (
  <Badge tone={tones[of]}>{statusText(of)}</Badge>
)

export const OrderStatuses = ({ orders }: Pick<ListedCase, 'orders'>) =>
  orders.length === 0 ? (
    <span class="quiet">None</span>
  ) : (
    <>
      {orders.map(({ id, status }) => (
        <div key={id}>
          <Status of={status} />
        </div>
      ))}
    </>
  )

/** Only owners and developers may act as the clinic. */
export const mayMove = ({ member }: MemberCall) =>
  member.role === 'owner' || member.role === 'developer'

type MoveProps = {
  readonly call: MemberCall
  readonly id: string
  readonly name: string
  readonly move: CaseMove
}
export type Faults = Readonly<Record<string, string | undefined>>

/** A move without fields is a button. */
export const MoveForm = ({ call, id, name, move }: MoveProps) => (
  <RowForm call={call} path={call.pathOf('moveCase', { id })}>
    <Hidden name="move" value={name} />
    <button class={`button small${move.isUsual === true ? '' : ' second'}`}>{move.label}</button>
  </RowForm>
)

type MoveTabProps = MoveProps & {
  readonly isOpen: boolean
  /** The submitted form, with its errors. */
  readonly given?: { readonly form: URLSearchParams; readonly faults: Faults }
}

/** A move with fields: one of the page's tabs, which radio buttons switch without a script. */
export const MoveTab = ({ call, id, name, move, isOpen, given }: MoveTabProps) => (
  <>
    <input type="radio" name="open-move" id={`move-${name}`} checked={isOpen} />
    <label for={`move-${name}`}>{move.label}</label>
    <RowForm call={call} path={call.pathOf('moveCase', { id })} class="move-form">
      <Hidden name="move" value={name} />
      {move.fields.map(field => {
        const { label, isOptional = false, options = [] } = field
        const shared = {
          name: field.name,
          label,
          value: given?.form.get(field.name) ?? field.value ?? '',
          fault: given?.faults[field.member],
        }
        if (field.kind === 'choice') return <Select key={label} {...shared} options={options} />
        if (field.kind === 'text') {
          return <TextArea key={label} {...shared} isOptional={isOptional} />
        }
        return <Field key={label} {...shared} isOptional={isOptional} />
      })}
      <button class="button small">{move.label}</button>
    </RowForm>
  </>
)

export const VisitTable = ({ call, of }: { call: MemberCall; of: readonly SandboxVisit[] }) => (
  <Table
    caption="Visits"
    head={['Visit', 'Status', 'Starts', '']}
    rows={of.map(visit => [
      <Id key="id" of={visit.id} />,
      <Status key="status" of={visit.status} />,
      <Time key="starts" at={visit.starts_at} clock="sandbox" />,
      mayMove(call) && <VisitMoves key="moves" call={call} visit={visit} />,
    ])}
  />
)

const VisitMoves = ({ call, visit }: { call: MemberCall; visit: SandboxVisit }) => (
  <div class="row-actions">
    {possibleVisitMoves(visit).map(name => (
      <RowForm key={name} call={call} path={call.pathOf('moveVisit', { id: visit.id })}>
        <Hidden name="move" value={name} />
        <button class="button second small">{visitMoves[name].label}</button>
      </RowForm>
    ))}
  </div>
)
