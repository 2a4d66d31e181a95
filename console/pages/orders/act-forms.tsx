// An order's forms, depending on its status.
import { carriers } from '#contract/api/thread.ts'
import { pharmacyTransitions } from '#contract/states.ts'
import { Field, Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import { typedIn } from '#http/pages/typed.tsx'
import type { StaffOrder } from './state.tsx'

type Move = keyof typeof pharmacyTransitions
/** The actions for an order that the pharmacy hasn't accepted. */
type TransmissionMove = 'resend' | 'takeOver'
type Props = { readonly call: ConsoleCall; readonly order: StaffOrder }

export const carrierNames: Readonly<Record<(typeof carriers)[number], string>> = {
  usps: 'USPS',
  ups: 'UPS',
  fedex: 'FedEx',
  dhl: 'DHL',
  other: 'Other',
}

export function OrderActs({ call, order }: Props) {
  const moves = possibleOf(order).filter(move => call.mayOpen(move))
  if (moves.length === 0) return <div />
  return (
    <aside class="actions-of" id="actions" aria-label="Actions">
      {moves.map((move, at) => {
        const { label, content } = forms[move]
        return (
          <details key={move} open={call.row === move || (at === 0 && !isSent(call))}>
            <summary>{label}</summary>
            <RowForm call={call} path={call.pathOf(move, { id: order.id })}>
              <Hidden name="version" value={order.updated_at} />
              {unsentMoves.has(move) && order.transmission?.status === 'accepted' && (
                <p class="hint">
                  {order.transmission.pharmacy} has this order and won’t be notified. Call them
                  first.
                </p>
              )}
              {content(name => typedIn(call, move, name) ?? '')}
            </RowForm>
          </details>
        )
      })}
    </aside>
  )
}

function possibleOf({ status, transmission }: StaffOrder): readonly (Move | TransmissionMove)[] {
  if (transmission?.status === 'due') return ['takeOver']
  if (transmission?.status === 'stopped') return ['resend', 'takeOver']
  return (Object.keys(moveForms) as Move[]).filter(move =>
    (pharmacyTransitions[move].from as readonly string[]).includes(status),
  )
}

/** Pharmacies aren't notified of these. */
const unsentMoves: ReadonlySet<Move | TransmissionMove> = new Set(['unblock', 'block', 'fail'])

const isSent = ({ row }: ConsoleCall) => row !== 'order'

/** `typed` returns the submitted text of a field in this form. */
type MoveForm = {
  readonly label: string
  content(typed: (name: string) => string): ComponentChildren
}

/** The forms, in the order they appear. */
const moveForms: Readonly<Record<Move, MoveForm>> = {
  unblock: {
    label: 'Unblock',
    content: () => <button class="button">Unblock order</button>,
  },
  ship: {
    label: 'Ship',
    content: typed => (
      <>
        <Select
          name="carrier"
          label="Carrier"
          value={typed('carrier')}
          options={carriers.map(name => [name, carrierNames[name]] as const)}
        />
        <Field name="number" label="Tracking number" isOptional value={typed('number')} />
        <Field name="url" label="Tracking link" type="url" isOptional value={typed('url')} />
        <button class="button">Mark as shipped</button>
      </>
    ),
  },
  deliver: {
    label: 'Deliver',
    content: () => <button class="button">Mark as delivered</button>,
  },
  block: {
    label: 'Block',
    content: typed => (
      <>
        <TextArea
          name="reason"
          label="Reason"
          hint="The integration sees this."
          value={typed('reason')}
        />
        <button class="button second">Block order</button>
      </>
    ),
  },
  fail: {
    label: 'Mark as failed',
    content: typed => (
      <>
        <p class="hint">You can’t undo this. It also cancels the prescription.</p>
        <TextArea
          name="reason"
          label="Reason"
          hint="The integration sees this."
          value={typed('reason')}
        />
        <button class="button danger">Mark as failed</button>
      </>
    ),
  },
}

const forms: Readonly<Record<Move | TransmissionMove, MoveForm>> = {
  ...moveForms,
  resend: {
    label: 'Send again',
    content: () => (
      <>
        <p class="hint">Sends the order to your clinic’s current pharmacy.</p>
        <button class="button">Send order again</button>
      </>
    ),
  },
  takeOver: {
    label: 'Fill it yourself',
    content: () => (
      <>
        <p class="hint">
          We stop sending this order to the pharmacy, and you fill it. You can’t undo this.
        </p>
        <button class="button second">Fill order yourself</button>
      </>
    ),
  },
}
