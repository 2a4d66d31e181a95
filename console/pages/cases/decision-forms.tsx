// Actions on a case, one panel at a time: sign, decline, ask, write.
import { Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import type { ClinicText } from '#auth/clinics/texts.ts'
import { medicationNames } from '../medications.ts'
import { filled } from '../texts/placeholders.ts'
import { templatesOf } from '../texts/read.ts'
import { caseTransitions } from '#contract/states.ts'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import type { Review } from './review.ts'
import { isOpen } from './claim.tsx'
import { type Confirmation, ConfirmationFields } from '../../confirm.tsx'
import { formatNullable, NoteForm } from './notes.tsx'
import { isEdited } from './plan.ts'
import { PlanEditor } from './plan-editor.tsx'

type Props = {
  readonly call: ConsoleCall
  readonly review: Review
  readonly confirmation: Confirmation | null
  readonly texts: readonly ClinicText[]
}

const isWritable = ({ status }: Review) =>
  (caseTransitions.converse.from as readonly string[]).includes(status)

type Panel = {
  readonly row: 'approve' | 'decline' | 'ask' | 'write' | 'writeNote'
  readonly label: string
  readonly key: string
  readonly content: ComponentChildren
}

/** The staff member's possible actions on the case in its current state. */
export function Panels(props: Props) {
  const { call } = props
  const panels = panelsOf(props)
  if (panels.length === 0) return <div />
  const isSent = panels.some(({ row }) => row === call.row)
  return (
    <aside class="actions-of panels" id="actions" aria-label="Actions">
      <fieldset class="panel-tabs">
        <legend class="hidden">Action</legend>
        {panels.map(({ row, label, key }, at) => (
          <span key={row}>
            <input
              type="radio"
              name="panel"
              id={`tab-${row}`}
              value={row}
              checked={isSent ? call.row === row : at === 0}
              data-key={key}
              data-key-label={label}
            />
            <label for={`tab-${row}`}>{label}</label>
          </span>
        ))}
      </fieldset>
      {panels.map(({ row, content }) => (
        <section key={row} class={`panel of-${row}`}>
          {content}
        </section>
      ))}
      <p class="fine keys-hint" hidden>
        Press <kbd>?</kbd> for keyboard shortcuts.
      </p>
    </aside>
  )
}

function panelsOf(props: Props): readonly Panel[] {
  const { call, review } = props
  const isBusy = review.claim !== null && review.claim.person !== call.session.person.id
  const decides = isOpen(review) && !isBusy
  const writes = call.mayOpen('write') && isWritable(review)
  const panels: Panel[] = []
  if (decides && call.mayOpen('approve')) {
    panels.push(
      { row: 'approve', label: 'Approve', key: 'a', content: <Approve {...props} /> },
      { row: 'decline', label: 'Decline', key: 'd', content: <Decline {...props} /> },
    )
  }
  if (decides && call.mayOpen('ask')) {
    panels.push({ row: 'ask', label: 'Question', key: 'q', content: <Question {...props} /> })
  }
  if (writes) {
    panels.push({ row: 'write', label: 'Message', key: 'm', content: <Message {...props} /> })
  }
  if (call.mayOpen('writeNote')) {
    panels.push({ row: 'writeNote', label: 'Note', key: 'n', content: <NotePanel {...props} /> })
  }
  return panels
}

const draftOf = ({ id, chart }: Review) =>
  chart.notes.find(one => one.signed_at === null && one.case === id)

const NotePanel = ({ call, review, confirmation, texts }: Props) => (
  <NoteForm
    call={call}
    draft={draftOf(review)}
    list={review.chart.code_list}
    templates={templatesOf(texts)}
    confirmation={confirmation}
    row="writeNote"
    {...(isOpen(review) && { hint: 'Your decision also signs your draft.' })}
  />
)

type InsertProps = Pick<Props, 'call' | 'review' | 'texts'> & {
  readonly kind: ClinicText['kind']
  /** The field's ID. */
  readonly into: string
}

/** Saved replies, filled in for this patient. A script inserts the chosen reply. */
function Replies({ call, review, texts, kind, into }: InsertProps) {
  const replies = texts.filter(one => one.kind === kind)
  const { first_name, last_name } = review.chart.patient
  const medications = review.requested_medications.map(({ medication_id }) => medication_id)
  const values = {
    '{first_name}': first_name,
    '{last_name}': last_name,
    '{medication}': medicationNames(medications),
    '{clinician}': call.staff.staffName,
    '{clinic}': call.staff.name,
  }
  return (
    <div class="insert" hidden>
      {replies.map(({ id, name, body }) => (
        <button
          type="button"
          key={id}
          class="button second small"
          data-insert={filled(body, values)}
          data-into={into}
        >
          {name}
        </button>
      ))}
      <a href={call.pathOf('texts')}>{replies.length === 0 ? 'Create a saved reply' : 'Edit'}</a>
    </div>
  )
}

const pathOfForm = ({ call, review }: Pick<Props, 'call' | 'review'>, row: Panel['row']) =>
  call.pathOf(row, { id: review.id })

/** Null if the person is licensed in the patient's state. */
function LicenseNote({ call, review }: Props) {
  const { state } = review.chart.patient.address
  if (call.staff.states.includes(state)) return null
  return (
    <p class="note">
      You need a current license in {state} to sign or decline. You’re licensed in{' '}
      {call.staff.states.join(', ') || 'no states'}.
    </p>
  )
}

/** The button that also opens the next case comes first, so Enter presses it. */
const Submits = ({ action, class: style = '' }: { action: string; class?: string }) => (
  <div class="actions">
    <button class={`button ${style}`} name="after" value="next">
      {action} and open next
    </button>
    <button class={`button second ${style}`}>{action}</button>
  </div>
)

/** What the page shows. The newest message is in the chart, which is refreshed. */
const Shown = ({ review }: Pick<Props, 'review'>) => (
  <>
    <Hidden name="version" value={review.updated_at} />
    <Hidden name="note_version" value={formatNullable(draftOf(review)?.updated_at)} />
  </>
)

function Approve(props: Props) {
  const { call, review, confirmation } = props
  return (
    LicenseNote(props) ?? (
      <RowForm
        call={call}
        path={pathOfForm(props, 'approve')}
        id="approve-form"
        isUnsaved={call.row === 'approve' && isEdited(call.form, review.requested_medications)}
      >
        <Shown review={review} />
        <PlanEditor call={call} review={review} />
        <ConfirmationFields call={call} of={confirmation} name="approve" />
        <Submits action="Sign" />
        <p class="fine">You’re signing as {call.staff.staffName}.</p>
      </RowForm>
    )
  )
}

function Decline(props: Props) {
  const { call, review, confirmation } = props
  return (
    LicenseNote(props) ?? (
      <RowForm call={call} path={pathOfForm(props, 'decline')} id="decline-form">
        <Shown review={review} />
        <Replies {...props} kind="decline" into="reason" />
        <TextArea
          name="reason"
          label="Reason"
          hint="The patient sees this."
          value={typedIn(call, 'decline', 'reason') ?? ''}
        />
        <div class="as-read" data-shows="reason" hidden>
          <p class="fine">What {review.chart.patient.first_name} will see</p>
          <p class="lines" />
        </div>
        <ConfirmationFields call={call} of={confirmation} name="decline" />
        <Submits action="Decline" class="danger" />
      </RowForm>
    )
  )
}

const Question = (props: Props) => (
  <RowForm call={props.call} path={pathOfForm(props, 'ask')}>
    <Hidden name="version" value={props.review.updated_at} />
    <Select
      name="target"
      label="Ask"
      value={typedIn(props.call, 'ask', 'target') ?? 'patient'}
      options={[
        ['patient', 'Patient'],
        ['integration', props.review.integration.name],
      ]}
    />
    <Replies {...props} kind="question" into="question" />
    <TextArea
      name="question"
      label="Question"
      hint={`The patient and ${props.review.integration.name} both see it. The case waits until someone answers.`}
      value={typedIn(props.call, 'ask', 'question') ?? ''}
    />
    <Submits action="Send" />
  </RowForm>
)

const Message = (props: Props) => {
  const { call, review } = props
  return (
    <>
      <Replies {...props} kind="message" into="body" />
      <RowForm call={call} path={pathOfForm(props, 'write')} class="stack">
        <Hidden name="version" value={review.updated_at} />
        <TextArea
          name="body"
          label="Message"
          hint={`The patient and ${review.integration.name} can both see your message. The case’s status won’t change.`}
          value={typedIn(call, 'write', 'body') ?? ''}
        />
        <div class="actions">
          <button class="button second">Send message</button>
        </div>
      </RowForm>
    </>
  )
}
