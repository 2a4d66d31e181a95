// The forms of a case: sign, decline, ask, write.
import { Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { caseTransitions } from '#contract/states.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import type { ConsoleCall } from '../../context.ts'
import type { Review } from './chart.tsx'
import { isOpen } from './claim.tsx'
import { PlanEditor } from './plan-editor.tsx'

type Props = { readonly call: ConsoleCall; readonly review: Review }

export const isWritable = ({ status }: Review) =>
  (caseTransitions.converse.from as readonly string[]).includes(status)

/** What the member of staff may do with the case as it is. */
export function Acts({ call, review }: Props) {
  const isBusy = review.claim !== null && review.claim.person !== call.session.person.id
  const decides = isOpen(review) && !isBusy
  const writes = call.mayOpen('write') && isWritable(review)
  if (!writes && !decides) return <div />
  return (
    <aside class="actions-of" id="actions" aria-label="Actions">
      {decides && call.mayOpen('approve') && <Signatures call={call} review={review} />}
      {decides && call.mayOpen('ask') && <Question call={call} review={review} />}
      {writes && <Message call={call} review={review} />}
    </aside>
  )
}

const pathOfForm = ({ call, review }: Props, row: 'approve' | 'decline' | 'ask' | 'write') =>
  call.pathOf(row, { id: review.id })

/** Whether the form that was sent is this one, so that it is shown open and with its text. */
const isSent = ({ call }: Props, row: string) => call.row === row

function Signatures(props: Props) {
  const { call, review } = props
  const { state } = review.chart.patient.address
  if (!call.staff.states.includes(state)) {
    return (
      <p class="note">
        Signing and declining need a license in {state} that is valid today. You have{' '}
        {call.staff.states.join(', ') || 'none'}.
      </p>
    )
  }
  if (!call.isFactorFresh) {
    return (
      <div class="note">
        <p>To sign or to decline, prove your second factor. It counts for 15 minutes.</p>
        <p class="actions">
          <a class="button" href={signInPath(call.pathOf('case', { id: review.id }), true)}>
            Prove it now
          </a>
        </p>
      </div>
    )
  }
  return (
    <>
      <details open>
        <summary>Approve</summary>
        <RowForm call={call} path={pathOfForm(props, 'approve')}>
          <Hidden name="version" value={review.updated_at} />
          <PlanEditor call={call} review={review} />
          <button class="button">Sign the plan</button>
          <p class="fine">You sign as {call.staff.staffName}.</p>
        </RowForm>
      </details>
      <details open={isSent(props, 'decline')}>
        <summary>Decline</summary>
        <RowForm call={call} path={pathOfForm(props, 'decline')}>
          <Hidden name="version" value={review.updated_at} />
          <TextArea
            name="reason"
            label="Reason"
            hint="Shown to the patient."
            value={call.form.get('reason') ?? ''}
          />
          <button class="button danger">Decline the case</button>
        </RowForm>
      </details>
    </>
  )
}

const Question = (props: Props) => (
  <details open={isSent(props, 'ask')}>
    <summary>Ask for information</summary>
    <RowForm call={props.call} path={pathOfForm(props, 'ask')}>
      <Hidden name="version" value={props.review.updated_at} />
      <Select
        name="target"
        label="Who answers"
        value={props.call.form.get('target') ?? 'patient'}
        options={[
          ['patient', 'The patient'],
          ['integration', `The integration (${props.review.integration.name})`],
        ]}
      />
      <TextArea
        name="question"
        label="Question"
        hint="Both read it. The case waits until it is answered."
        value={props.call.form.get('question') ?? ''}
      />
      <button class="button second">Send the question</button>
    </RowForm>
  </details>
)

const Message = (props: Props) => (
  <details open={isSent(props, 'write')}>
    <summary>Write a message</summary>
    <MessageForm {...props} path={pathOfForm(props, 'write')} />
  </details>
)

export const MessageForm = ({ call, review, path }: Props & { readonly path: string }) => (
  <RowForm call={call} path={path} class="stack">
    <Hidden name="version" value={review.updated_at} />
    <TextArea
      name="body"
      label="Message"
      hint="The patient and the integration read it. The status does not change."
      value={call.form.get('body') ?? ''}
    />
    <div class="actions">
      <button class="button second">Send the message</button>
    </div>
  </RowForm>
)
