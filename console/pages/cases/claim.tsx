// Claims and releases a case. Opening a case from the console claims it for a clinician who may
// decide it. A script releases the case when the clinician leaves its last window; otherwise, the
// claim expires.
import { caseTransitions } from '#contract/states.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Badge, RowForm, Time } from '#http/html/parts.tsx'
import type { HttpRequest } from '#http/http-request.ts'
import type { ConsoleCall } from '../../context.ts'
import { statusText } from '#http/html/status-text.ts'
import type { Review } from './review.ts'

export const Status = ({ status }: { status: string }) => (
  <Badge
    tone={
      status === 'approved' ? 'good' : /^(queued|in_review)$/.test(status) ? 'waiting' : 'plain'
    }
  >
    {statusText(status)}
  </Badge>
)

export const isOpen = ({ status }: Review): boolean =>
  (caseTransitions.decide.from as readonly string[]).includes(status)

/** Whether a person followed a console link or form to the page. */
const isFollowed = ({ method, headers }: HttpRequest): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-site') === 'same-origin' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  !headers.has('sec-purpose')

/** A claim with less time left than this is extended when the case is opened again. */
const extendedBelowMs = 20 * 60_000

/** Claims the case if the person may decide it and nobody else has it. Returns the case. */
export async function claimOnOpen(call: ConsoleCall, now: number, review: Review): Promise<Review> {
  const { claim, status, updated_at: version } = review
  const isOwn = claim?.person === call.session.person.id
  const mayDecide =
    isFollowed(call.request) &&
    call.query.get('done') !== 'released' &&
    call.mayOpen('approve') &&
    /^(queued|in_review)$/.test(status) &&
    call.staff.states.includes(review.chart.patient.address.state)
  const isHeld = isOwn && Date.parse(claim?.until ?? '') - now > extendedBelowMs
  if (!mayDecide || isHeld || (claim !== null && !isOwn)) return review
  const claimed = await call.perform('claimCase', { body: { version }, once: call.once() })
  return claimed.problem === null ? { ...review, ...claimed.value } : review
}

export function ClaimState({ call, review }: { call: ConsoleCall; review: Review }) {
  const { claim } = review
  if (!isOpen(review) || !call.mayOpen('claim')) return null
  const isOwn = claim?.person === call.session.person.id
  if (claim !== null && !isOwn) {
    return (
      <p class="note">
        Assigned to {claim.name} until <Time at={claim.until} />.
      </p>
    )
  }
  return (
    <div class="claim">
      {claim === null ? (
        <span class="quiet">Unassigned</span>
      ) : (
        <span>
          Assigned to you until <Time at={claim.until} />
        </span>
      )}
      <ClaimForm
        call={call}
        review={review}
        row="claim"
        label={isOwn ? 'Extend' : startLabel(review)}
      />
      {isOwn && <ClaimForm call={call} review={review} row="unclaim" label="Release" />}
      {call.mayOpen('skip') && <ClaimForm call={call} review={review} row="skip" label="Skip" />}
    </div>
  )
}

const startLabel = ({ status }: Review) => (status === 'queued' ? 'Start review' : 'Assign to me')

const ClaimForm = (props: {
  call: ConsoleCall
  review: Review
  row: 'claim' | 'unclaim' | 'skip'
  label: string
}) => (
  <RowForm
    call={props.call}
    path={props.call.pathOf(props.row, { id: props.review.id })}
    class={props.row}
  >
    <Hidden name="version" value={props.review.updated_at} />
    <button
      class="button second small"
      {...(props.row === 'skip' && { 'data-key': 'j', 'data-key-label': 'Skip to the next case' })}
    >
      {props.label}
    </button>
  </RowForm>
)
