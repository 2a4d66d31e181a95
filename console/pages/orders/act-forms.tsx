// The forms of an order that its status allows.
import { carriers } from '#contract/api/thread.ts'
import { pharmacyTransitions } from '#contract/states.ts'
import { Field, Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import { typedIn } from '#http/pages/typed.tsx'
import type { StaffOrder } from './state.tsx'

type Move = keyof typeof pharmacyTransitions
/** What is done with an order that the pharmacy has not accepted. */
type Sending = 'resend' | 'takeOver'
type Props = { readonly call: ConsoleCall; readonly order: StaffOrder }

const carrierName = (name: string) => (name === 'other' ? 'Another' : name.toUpperCase())

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
              {content(name => typedIn(call, move, name) ?? '')}
            </RowForm>
          </details>
        )
      })}
    </aside>
  )
}

function possibleOf({ status, transmission }: StaffOrder): readonly (Move | Sending)[] {
  if (transmission?.status === 'due') return ['takeOver']
  if (transmission?.status === 'stopped') return ['resend', 'takeOver']
  return (Object.keys(moveForms) as Move[]).filter(move =>
    (pharmacyTransitions[move].from as readonly string[]).includes(status),
  )
}

const isSent = ({ row }: ConsoleCall) => row !== 'order'

/** `typed`: what was sent in a field of this form. */
type MoveForm = {
  readonly label: string
  content(typed: (name: string) => string): ComponentChildren
}

/** In the order in which they are offered. */
const moveForms: Readonly<Record<Move, MoveForm>> = {
  unblock: {
    label: 'Unblock',
    content: () => (
      <>
        <p class="hint">It goes back to the pharmacy.</p>
        <button class="button">Unblock the order</button>
      </>
    ),
  },
  ship: {
    label: 'Ship',
    content: typed => (
      <>
        <Select
          name="carrier"
          label="Carrier"
          value={typed('carrier')}
          options={carriers.map(name => [name, carrierName(name)] as const)}
        />
        <Field name="number" label="Tracking number" isOptional value={typed('number')} />
        <Field name="url" label="Tracking link" type="url" isOptional value={typed('url')} />
        <button class="button">Ship the order</button>
      </>
    ),
  },
  deliver: {
    label: 'Delivered',
    content: () => <button class="button">Record the delivery</button>,
  },
  block: {
    label: 'Block',
    content: typed => (
      <>
        <TextArea
          name="reason"
          label="Reason"
          hint="The integration reads it."
          value={typed('reason')}
        />
        <button class="button second">Block the order</button>
      </>
    ),
  },
  fail: {
    label: 'Give up',
    content: typed => (
      <>
        <p class="hint">This cannot be undone: the prescription is canceled with it.</p>
        <TextArea
          name="reason"
          label="Reason"
          isOptional
          hint="The integration reads it."
          value={typed('reason')}
        />
        <button class="button danger">Give the order up</button>
      </>
    ),
  },
}

const forms: Readonly<Record<Move | Sending, MoveForm>> = {
  ...moveForms,
  resend: {
    label: 'Send again',
    content: () => (
      <>
        <p class="hint">To the pharmacy that the clinic is connected to now.</p>
        <button class="button">Send the order again</button>
      </>
    ),
  },
  takeOver: {
    label: 'Do it by hand',
    content: () => (
      <>
        <p class="hint">
          It is not sent to the pharmacy any more, and you dispense it. This cannot be undone.
        </p>
        <button class="button second">Do the order by hand</button>
      </>
    ),
  },
}
