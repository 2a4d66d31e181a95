// Who works on a case, and taking or leaving it.
import { caseTransitions } from '#contract/states.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Badge, RowForm, Time } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'
import { statusText } from '../../words.ts'
import type { Review } from './chart.tsx'

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

export function ClaimState({ call, review }: { call: ConsoleCall; review: Review }) {
  const { claim } = review
  if (!isOpen(review) || !call.mayOpen('claim')) return null
  const isOwn = claim?.person === call.session.person.id
  if (claim !== null && !isOwn) {
    return (
      <p class="note">
        {claim.name} works on this case until <Time at={claim.until} />.
      </p>
    )
  }
  return (
    <div class="claim">
      {claim === null ? (
        <span class="quiet">No one works on this case.</span>
      ) : (
        <span>
          Yours until <Time at={claim.until} />
        </span>
      )}
      <ClaimForm
        call={call}
        review={review}
        row="claim"
        label={isOwn ? 'Renew' : startLabel(review)}
      />
      {isOwn && <ClaimForm call={call} review={review} row="unclaim" label="Release" />}
    </div>
  )
}

const startLabel = ({ status }: Review) => (status === 'queued' ? 'Start review' : 'Claim')

const ClaimForm = (props: {
  call: ConsoleCall
  review: Review
  row: 'claim' | 'unclaim'
  label: string
}) => (
  <RowForm call={props.call} path={props.call.pathOf(props.row, { id: props.review.id })}>
    <Hidden name="version" value={props.review.updated_at} />
    <button class="button second small">{props.label}</button>
  </RowForm>
)
