// A case's chart on one page: answers, request, earlier history, messages, files, activity.
import { Badge, Facts, Table, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import { statusText } from '#http/html/status-text.ts'
import { Thumbnails } from '../files/thumbnails.tsx'
import { OrderState } from '../orders/state.tsx'
import { PatientFacts } from '../patient-facts.tsx'
import { medicationName, medicationNames, supplyText } from '../medications.ts'
import { Status } from './claim.tsx'
import type { Review } from './review.ts'
import type { Confirmation } from '../../confirm.tsx'
import { Notes } from './notes.tsx'
import { History } from './history.tsx'
import { Thread } from './thread.tsx'
import type { ReadAnswer } from '../texts/intake.ts'

type Props = { readonly call: ConsoleCall; readonly review: Review }
type ChartProps = Props & {
  readonly answers: readonly ReadAnswer[]
  readonly today: Temporal.PlainDate
  readonly confirmation?: Confirmation | null
}

export const Chart = ({ call, review, answers, today, confirmation }: ChartProps) => (
  <div class="chart">
    <Answers answers={answers} />
    <Plans review={review} />
    <Others call={call} review={review} />
    <Prescriptions call={call} review={review} />
    {review.chart.notes.some(isSigned) && (
      <section id="notes">
        <h2>Notes</h2>
        <Notes
          call={call}
          notes={review.chart.notes}
          {...(confirmation !== undefined && { confirmation, row: 'addAddendum' })}
        />
      </section>
    )}
    <Visits call={call} review={review} />
    <Thread call={call} review={review} />
    {review.chart.files.length > 0 && (
      <section>
        <h2>Files</h2>
        <Thumbnails call={call} files={review.chart.files} />
      </section>
    )}
    <Empty review={review} />
    <section>
      <h2>Contact</h2>
      <PatientFacts patient={review.chart.patient} today={today} />
      <p>
        <a href={call.pathOf('patient', { id: review.patient })}>Full patient record</a>
      </p>
    </section>
    <Consents review={review} />
    <History call={call} review={review} />
  </div>
)

const isSigned = ({ signed_at }: Review['chart']['notes'][number]) => signed_at !== null

const list = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** One line that names the parts a new patient doesn't have yet. */
function Empty({ review: { plan, reason, chart } }: { review: Review }) {
  const { earlier } = chart
  const isUndecided = plan === null && reason === null
  const parts: readonly (readonly [string, boolean])[] = [
    ['earlier plans', isUndecided && !earlier.cases.some(one => one.plan !== null)],
    ['other cases', earlier.cases.length === 0],
    ['prescriptions', earlier.prescriptions.length + chart.prescriptions.length === 0],
    ['signed notes', !chart.notes.some(isSigned)],
    ['visits', chart.visits.length === 0],
    ['messages', chart.messages.length === 0],
    ['files', chart.files.length === 0],
  ]
  const missing = parts.flatMap(([name, isMissing]) => (isMissing ? [name] : []))
  return missing.length === 0 ? null : <p class="quiet">No {list.format(missing)}.</p>
}

const isFlag = (slot: ReadAnswer['slot']) => slot !== null && slot !== 'Height' && slot !== 'Weight'

const Answers = ({ answers }: { answers: readonly ReadAnswer[] }) => (
  <section>
    <h2>Answers</h2>
    {answers.length === 0 ? (
      <p class="quiet">No intake answers.</p>
    ) : (
      <dl class="answers">
        {answers.map(({ id, question, answer, slot, isTelling }) => (
          <div
            key={`${id} ${question}`}
            class={isTelling ? (isFlag(slot) ? 'flagged' : 'telling') : ''}
          >
            <dt>{question}</dt>
            <dd>
              {answer === '' ? 'No answer' : answer}
              {isTelling && isFlag(slot) && <span class="slot">{slot}</span>}
            </dd>
          </div>
        ))}
      </dl>
    )}
  </section>
)

type Line = {
  readonly medication_id: string
  readonly quantity: number
  readonly refills: number
  readonly days_supply: number
  readonly directions: string
  readonly dispensable?: boolean
}

const Lines = ({ caption, lines }: { caption: string; lines: readonly Line[] }) => (
  <Table
    caption={caption}
    head={[
      'Medication',
      'Quantity',
      'Refills',
      'Days’ supply',
      'Directions',
      ...(lines[0]?.dispensable === undefined ? [] : ['Sent to pharmacy']),
    ]}
    rows={lines.map(line => [
      medicationName(line.medication_id),
      line.quantity,
      line.refills,
      line.days_supply,
      line.directions,
      ...(line.dispensable === undefined ? [] : [line.dispensable ? 'Yes' : 'No']),
    ])}
  />
)

/** The request next to the decision, or next to the patient's last plan. */
function Plans({ review }: { review: Review }) {
  const { plan, reason, decided_by, chart } = review
  const past = chart.earlier.cases.findLast(one => one.plan !== null)
  return (
    <div class="side-by-side">
      <section>
        <h2>Requested</h2>
        <Lines caption="Requested medications" lines={review.requested_medications} />
      </section>
      {plan !== null || reason !== null ? (
        <section>
          <h2>Decision</h2>
          {decided_by !== null && <p>By {decided_by.name}</p>}
          {reason !== null && <p class="lines">{reason}</p>}
          {plan !== null && <Lines caption="Signed plan" lines={plan} />}
        </section>
      ) : (
        past?.plan && (
          <section>
            <h2>Last plan</h2>
            <p class="quiet">
              {past.decided_by?.name} · <Time at={past.updated_at} />
            </p>
            <Lines caption="Last plan" lines={past.plan} />
          </section>
        )
      )}
    </div>
  )
}

const Section = (props: {
  id?: string
  title: string
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}) =>
  props.rows.length === 0 ? null : (
    <section {...(props.id !== undefined && { id: props.id })}>
      <h2>{props.title}</h2>
      <Table caption={props.title} head={props.head} rows={props.rows} />
    </section>
  )

/** Other cases may have been filed later, and still be open. */
const Others = ({ call, review: { chart } }: Props) => (
  <Section
    title="Other cases"
    head={['Filed', 'Requested', 'Decision']}
    rows={chart.earlier.cases.toReversed().map(one => [
      <a key="case" href={call.pathOf('case', { id: one.id })}>
        <Time at={one.created_at} />
      </a>,
      medicationNames(one.requested_medications.map(({ medication_id }) => medication_id)),
      <>
        <Status status={one.status} />
        {one.decided_by !== null && <span> {one.decided_by.name}</span>}
        {one.reason !== null && <p class="fine lines">{one.reason}</p>}
      </>,
    ])}
  />
)

/** Each prescription with its order's outcome. */
function Prescriptions({ call, review: { chart } }: Props) {
  const orders = [...chart.earlier.orders, ...chart.orders]
  return (
    <Section
      id="prescriptions"
      title="Prescriptions and fills"
      head={['Medication', 'Written', 'Prescriber', 'Status', 'Order']}
      rows={[...chart.earlier.prescriptions, ...chart.prescriptions].toReversed().map(one => {
        const order = orders.find(({ id }) => id === one.order)
        return [
          `${one.name} ${one.strength}, quantity ${one.quantity}, ${supplyText(one.days_supply)}`,
          <Time key="at" at={one.created_at} />,
          one.prescriber_name,
          statusText(one.status),
          order === undefined ? (
            '—'
          ) : (
            <a key="order" href={call.pathOf('order', { id: order.id })}>
              <OrderState status={order.status} />
            </a>
          ),
        ]
      })}
    />
  )
}

const Visits = ({ call, review: { chart } }: Props) => (
  <Section
    title="Visits"
    head={['Starts', 'Status', 'Clinician', 'Note']}
    rows={chart.visits
      .toSorted((one, other) => (one.starts_at < other.starts_at ? 1 : -1))
      .map(({ id, starts_at, status, clinician_name }) => [
        <Time key="at" at={starts_at} />,
        statusText(status),
        clinician_name ?? '—',
        <a key="note" href={call.pathOf('visitNote', { id })}>
          Visit note
        </a>,
      ])}
  />
)

const Consents = ({ review: { chart } }: { review: Review }) => (
  <section>
    <h2>Consents</h2>
    <Facts
      of={chart.consents.map(({ kind, version, accepted_at, status }) => [
        statusText(kind),
        <span key="consent">
          <Badge tone={status === 'current' ? 'good' : 'plain'}>{statusText(status)}</Badge>{' '}
          <span class="fine">
            version {version}, accepted <Time at={accepted_at} />
          </span>
        </span>,
      ])}
    />
  </section>
)
