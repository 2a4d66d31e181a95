// The messages, questions and answers on a case's chart.
import { Hidden } from '#http/html/fields.tsx'
import { RowForm, Time } from '#http/html/parts.tsx'
import { automatic } from '#http/html/polling.ts'
import type { ConsoleCall } from '../../context.ts'
import { formatNullable } from './notes.tsx'
import type { Review } from './review.ts'

type Props = { readonly call: ConsoleCall; readonly review: Review }

const authors = { patient: 'Patient', integration: 'Integration', clinician: 'Clinic' } as const

/** Refreshed when the person returns to the window. */
export const Thread = ({ call, review: { id: of, chart } }: Props) => (
  <section
    id="messages"
    hx-get={call.pathOf('case', { id: of })}
    hx-trigger="focus from:window"
    {...automatic}
    hx-select="#messages"
    hx-swap="outerHTML"
  >
    {['approve-form', 'decline-form'].map(form => (
      <input
        key={form}
        type="hidden"
        name="last_message"
        value={formatNullable(chart.messages.at(-1)?.id)}
        form={form}
      />
    ))}
    {chart.messages.length > 0 && <h2>Messages</h2>}
    {chart.messages.length > 0 && (
      <ol class="thread">
        {chart.messages.map(({ id, author, kind, target, body, created_at, by }) => (
          <li key={id}>
            <p class="fine">
              {by?.name ?? authors[author]}
              {kind === 'question' &&
                ` asked the ${target === 'integration' ? 'integration' : 'patient'}`}
              {kind === 'answer' && ' answered'}
              {' · '}
              <Time at={created_at} />
            </p>
            <p class="lines">{body}</p>
          </li>
        ))}
      </ol>
    )}
    {chart.unanswered_at !== null && call.mayOpen('dismiss') && (
      <RowForm call={call} path={call.pathOf('dismiss', { id: of })}>
        <Hidden name="version" value={chart.unanswered_at} />
        <p class="actions">
          <button class="button second small">No reply needed</button>
        </p>
      </RowForm>
    )}
  </section>
)
