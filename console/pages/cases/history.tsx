// A case's history: what happened, by whom and when, with links.
import { Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import { eventText } from '../../words.ts'
import type { Review } from './review.ts'

type Entry = Review['chart']['history'][number]

const texts: Readonly<Record<string, string>> = {
  'case.received.v1': 'Case filed',
  'case.queued.v1': 'Case queued',
  'case.in_review.v1': 'Review started',
  'case.approved.v1': 'Plan signed',
  'case.declined.v1': 'Case declined',
  'case.cancelled.v1': 'Case canceled',
  'case.withdrawn.v1': 'Case withdrawn',
  'case.message_created.v1': 'Message sent',
  'prescription.created.v1': 'Prescription written',
  'prescription.updated.v1': 'Prescription updated',
  'order.created.v1': 'Order created',
  'order.at_pharmacy.v1': 'Order at the pharmacy',
  'order.shipped.v1': 'Order shipped',
  'order.delivered.v1': 'Order delivered',
  'order.blocked.v1': 'Order blocked',
  'order.failed.v1': 'Order failed',
}

export const History = ({ call, review }: { call: ConsoleCall; review: Review }) => (
  <section id="history">
    <h2>History</h2>
    <ol class="history">
      {review.chart.history.map(entry => {
        const who = actorOf(review, entry)
        return (
          <li key={entry.id}>
            {linkOf(call, entry, texts[entry.type] ?? eventText(entry.type))}
            {who !== null && ` · ${who}`}
            {' · '}
            <Time at={entry.created_at} />
          </li>
        )
      })}
    </ol>
  </section>
)

const nameOf = (by: { readonly name: string } | null | undefined) => by?.name ?? null

/** The person or integration that caused an entry. Null if no record names that person or
 *  integration. */
function actorOf({ chart, decided_by, integration }: Review, entry: Entry): string | null {
  const { type, resource, created_at } = entry
  if (type === 'case.received.v1' || type === 'case.queued.v1') return integration.name
  if (/^case\.(approved|declined)/.test(type)) return nameOf(decided_by)
  if (type === 'case.message_created.v1') {
    return nameOf(chart.messages.findLast(one => one.created_at <= created_at)?.by)
  }
  // A question's message comes right after its event.
  if (type === 'case.question_asked.v1') {
    const asked = chart.messages.find(
      one => one.kind === 'question' && one.created_at >= created_at,
    )
    return nameOf(asked?.by)
  }
  const written = chart.prescriptions.find(({ id }) => id === resource)
  return type === 'prescription.created.v1' ? (written?.prescriber_name ?? null) : null
}

function linkOf(call: ConsoleCall, { resource, type }: Entry, text: string): ComponentChildren {
  if (resource.startsWith('ord_') && call.mayOpen('order')) {
    return <a href={call.pathOf('order', { id: resource })}>{text}</a>
  }
  if (resource.startsWith('rx_')) return <a href="#prescriptions">{text}</a>
  if (/message|question/.test(type)) return <a href="#messages">{text}</a>
  return text
}
