// One order: what to fill, for whom, and its status.
import { localDay } from '#http/html/zone.tsx'
import { Facts, Heading, Time, TimeOrNever } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import { DoneNote } from '../../done.tsx'
import { missing, refused, RefusedNote } from '../../refused.tsx'
import { ToActions } from '../../to-actions.tsx'
import { statusText } from '#http/html/status-text.ts'
import { addressText, phoneText } from '../patient-facts.tsx'
import { bornText } from '../patient-name.ts'
import { readAnswers, slotText } from '../texts/intake.ts'
import { textsOf } from '../texts/read.ts'
import { carrierNames, OrderActs } from './act-forms.tsx'
import { orderNumber } from './number.ts'
import { PrintLinks } from './print.tsx'
import { OrderState, type StaffOrder } from './state.tsx'
import { transmissionFacts, TransmissionNote } from './transmission.tsx'

export const showOrder: ConsoleHandler = (context, call) => orderPage(context, call, {})

const said: Readonly<Record<string, string>> = {
  shipped: 'Order shipped.',
  delivered: 'Order delivered.',
  blocked: 'Order blocked.',
  unblocked: 'Order unblocked.',
  failed: 'Order failed, and its prescription canceled.',
  resent: 'Order sent to the pharmacy again.',
  taken: 'The order is yours to fill. We won’t send it to the pharmacy.',
}

export async function orderPage(
  context: ConsoleContext,
  call: ConsoleCall,
  given: FormRefusal,
): Promise<PageAnswer> {
  const found = await call.perform('readOrder')
  if (found.problem?.code === 'not_found') {
    return missing('Order not found', call.pathOf('orders'), 'Orders')
  }
  if (found.problem) return refused('Order', found.problem)
  const order = found.value
  const { name, strength, form } = order.prescribed
  const title = `${name} ${strength}`
  const answers = readAnswers(order.answers, await textsOf(context, call))
  const declared = slotText(answers, 'Allergies')
  return {
    title,
    ...statusOf(given),
    content: (
      <>
        <Heading
          title={title}
          lead={
            <>
              <OrderState status={order.status} /> <span>Order {orderNumber(order.id)}</span>
            </>
          }
          action={<PrintLinks call={call} />}
        />
        <p class="allergies">
          <strong>Allergies:</strong>{' '}
          <span class={declared.isTelling ? 'alarm' : undefined}>{declared.text}</span>
        </p>
        <RefusedNote of={given} />
        <TransmissionNote of={order.transmission} />
        <DoneNote call={call} said={said} />
        <ToActions />
        <div class="review">
          <div>
            <OrderFacts
              call={call}
              order={order}
              form={form}
              today={localDay(context.now(), call.zone)}
            />
          </div>
          <OrderActs call={call} order={order} />
        </div>
      </>
    ),
  }
}

function TrackingText({ of }: { of: StaffOrder['tracking'] }) {
  if (of === null) return '—'
  const text = `${carrierNames[of.carrier]} ${of.number}`
  if (of.url === null) return text
  return (
    <a href={of.url} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

function OrderFacts(props: {
  call: ConsoleCall
  order: StaffOrder
  form: string
  today: Temporal.PlainDate
}) {
  const { call, order } = props
  const { prescribed, recipient, tracking } = order
  const name = `${recipient.first_name} ${recipient.last_name}`
  return (
    <Facts
      of={[
        ['Fill', `${order.quantity} × ${prescribed.name} ${prescribed.strength}, ${props.form}`],
        ['Directions', prescribed.directions],
        ['Days’ supply', prescribed.days_supply],
        ['Refills', prescribed.refills],
        ['Prescriber', prescribed.prescriber_name],
        [
          'Patient',
          call.mayOpen('patient') ? (
            <a href={call.pathOf('patient', { id: recipient.id })}>{name}</a>
          ) : (
            name
          ),
        ],
        ['Date of birth', bornText(recipient.date_of_birth, props.today)],
        ['Phone', phoneText(recipient.phone)],
        ['Ship to', addressText(order.ship_to)],
        ['Tracking', <TrackingText key="tracking" of={tracking} />],
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
