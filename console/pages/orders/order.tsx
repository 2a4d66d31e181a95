// One order: what is dispensed to whom, and what the pharmacy does with it.
import { problems, type Problem } from '#contract/problems.ts'
import { Facts, Heading, Time, TimeOrNever } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { DoneNote } from '../../done.tsx'
import { missing, ProblemNote, refused } from '../../refused.tsx'
import { ToActions } from '../../to-actions.tsx'
import { statusText } from '../../words.ts'
import { addressText } from '../patient-facts.tsx'
import { OrderActs } from './act-forms.tsx'
import { OrderState, type StaffOrder } from './state.tsx'
import { transmissionFacts, TransmissionNote } from './transmission.tsx'

export const showOrder: ConsoleHandler = (_, call) => orderPage(call, null)

const said: Readonly<Record<string, string>> = {
  shipped: 'The order is shipped.',
  delivered: 'The order arrived.',
  blocked: 'The order is blocked.',
  unblocked: 'The order is at the pharmacy again.',
  failed: 'The order is given up, and its prescription is canceled.',
  resent: 'The order is sent to the pharmacy again.',
  taken: 'The order is yours to dispense: it is not sent to the pharmacy.',
}

/** `problem`: why the form that was sent was refused. */
export async function orderPage(call: ConsoleCall, problem: Problem | null): Promise<PageAnswer> {
  const found = await call.perform('readOrder')
  if (found.problem?.code === 'not_found') {
    return missing('There is no such order', call.pathOf('orders'), 'All orders')
  }
  if (found.problem) return refused('Order', found.problem)
  const order = found.value
  const { name, strength, form } = order.prescribed
  const title = `${name} ${strength}`
  return {
    title,
    ...(problem && { status: problems[problem.code].status }),
    content: (
      <>
        <Heading title={title} lead={<OrderState status={order.status} />} />
        <ProblemNote problem={problem} />
        <TransmissionNote of={order.transmission} />
        <DoneNote call={call} said={said} />
        <ToActions />
        <div class="review">
          <div>
            <OrderFacts call={call} order={order} form={form} />
          </div>
          <OrderActs call={call} order={order} />
        </div>
      </>
    ),
  }
}

function OrderFacts(props: { call: ConsoleCall; order: StaffOrder; form: string }) {
  const { call, order } = props
  const { prescribed, recipient, tracking } = order
  const name = `${recipient.first_name} ${recipient.last_name}`
  return (
    <Facts
      of={[
        [
          'Dispense',
          `${order.quantity} × ${prescribed.name} ${prescribed.strength}, ${props.form}`,
        ],
        ['Directions', prescribed.directions],
        ['Supply', `${prescribed.days_supply} days, ${prescribed.refills} refills`],
        ['Prescriber', prescribed.prescriber_name],
        [
          'Patient',
          call.mayOpen('patient') ? (
            <a href={call.pathOf('patient', { id: recipient.id })}>{name}</a>
          ) : (
            name
          ),
        ],
        ['Date of birth', recipient.date_of_birth],
        ['Phone', recipient.phone],
        ['Ship to', addressText(order.ship_to)],
        [
          'Tracking',
          tracking === null ? '—' : `${tracking.carrier.toUpperCase()} ${tracking.number}`,
        ],
        ...(order.reason === null ? [] : [['Reason', order.reason] as const]),
        ['Created', <Time key="created" at={order.created_at} />],
        ['Shipped', <TimeOrNever key="shipped" at={order.shipped_at} never="Not yet" />],
        ['Delivered', <TimeOrNever key="delivered" at={order.delivered_at} never="Not yet" />],
        ...(order.moved_by === null ? [] : [['Changed by', order.moved_by] as const]),
        ['Prescription', statusText(prescribed.status)],
        ...transmissionFacts(order.transmission),
      ]}
    />
  )
}
