// A printed order: the label for the package's content, and the packing slip.
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { Facts, Heading, Time } from '#http/html/parts.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { missing } from '../../refused.tsx'
import { supplyText } from '../medications.ts'
import { addressText, phoneText } from '../patient-facts.tsx'
import { dateText, patientName } from '../patient-name.ts'
import { readAnswers, slotText } from '../texts/intake.ts'
import { textsOf } from '../texts/read.ts'
import { orderNumber } from './number.ts'
import type { StaffOrder } from './state.tsx'

export const PrintLinks = ({ call }: { call: ConsoleCall }) => (
  <>
    <a class="button second small" href={call.pathOf('orderLabel')}>
      Label
    </a>
    <a class="button second small" href={call.pathOf('packingSlip')}>
      Packing slip
    </a>
  </>
)

type Printed = {
  readonly title: string
  content(order: StaffOrder, context: ConsoleContext, call: ConsoleCall): Promise<PageAnswer>
}

const printed =
  ({ title, content }: Printed): ConsoleHandler =>
  async (context, call) => {
    const found = await call.perform('readOrder')
    if (found.problem) return missing('Order not found', call.pathOf('orders'), 'Orders')
    return { title, ...(await content(found.value, context, call)) }
  }

const PrintHeading = ({ call, title, id }: { call: ConsoleCall; title: string; id: string }) => (
  <div class="no-print">
    <Heading
      title={title}
      lead={<a href={call.pathOf('order')}>Order {orderNumber(id)}</a>}
      action={
        <button type="button" class="button" data-print hidden>
          Print
        </button>
      }
    />
  </div>
)

export const orderLabel = printed({
  title: 'Label',
  async content({ id, quantity, prescribed, recipient }, context, call) {
    return {
      content: (
        <>
          <PrintHeading call={call} title="Label" id={id} />
          <section class="paper label">
            <p>
              <strong>{call.staff.name}</strong> ·{' '}
              <span class="moment">Rx {orderNumber(prescribed.id)}</span> ·{' '}
              <span class="moment">Order {orderNumber(id)}</span>
            </p>
            <p class="label-name">{patientName(recipient)}</p>
            <p>DOB {dateText(recipient.date_of_birth)}</p>
            <p class="label-drug">
              {prescribed.name} {prescribed.strength}, {prescribed.form}
            </p>
            <p>{prescribed.directions}</p>
            <p>
              Quantity {quantity} · {supplyText(prescribed.days_supply)} ·{' '}
              {prescribed.refills === 1 ? '1 refill' : `${prescribed.refills} refills`}
            </p>
            <p>Prescriber: {prescribed.prescriber_name}</p>
          </section>
        </>
      ),
    }
  },
})

export const packingSlip = printed({
  title: 'Packing slip',
  async content(order, context, call) {
    const { id, quantity, prescribed, recipient, ship_to, created_at } = order
    const answers = readAnswers(order.answers, await textsOf(context, call))
    return {
      content: (
        <>
          <PrintHeading call={call} title="Packing slip" id={id} />
          <section class="paper">
            <h2>Order {orderNumber(id)}</h2>
            <Facts
              of={[
                ['From', call.staff.name],
                ['Ship to', `${patientName(recipient)}, ${addressText(ship_to)}`],
                ['Phone', phoneText(recipient.phone)],
                ['Ordered', <Time key="at" at={created_at} />],
                [
                  'Contents',
                  `${quantity} × ${prescribed.name} ${prescribed.strength}, ${prescribed.form}`,
                ],
                ['Directions', prescribed.directions],
                ['Prescriber', prescribed.prescriber_name],
                ['Allergies', slotText(answers, 'Allergies').text],
              ]}
            />
          </section>
        </>
      ),
    }
  },
})
