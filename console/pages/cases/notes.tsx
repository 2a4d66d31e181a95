// Clinical notes: a draft next to the chart, signed notes, and addenda.
import { codePattern, noteLimits } from '#contract/console/notes.ts'
import { Fault, Hidden } from '#http/html/fields.tsx'
import { RowForm, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, OperationResult } from '../../context.ts'
import type { Template } from '../texts/read.ts'
import { type Confirmation, ConfirmationFields } from '../../confirm.tsx'

type Note = Extract<OperationResult<'saveCaseNote'>, { problem: null }>['value']

/** Text and codes as a form has them; codes are separated by spaces or commas. */
export const noteOf = (form: URLSearchParams) => ({
  body: (form.get('body') ?? '').replaceAll('\r\n', '\n').trimEnd(),
  codes: [
    ...new Set(
      (form.get('codes') ?? '')
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter(code => code !== ''),
    ),
  ],
})

const form = new RegExp(codePattern)

export function codesFault(codes: readonly string[]): string | undefined {
  const wrong = codes.find(code => !form.test(code))
  if (wrong !== undefined) return `${wrong} isn’t an ICD-10-CM code. Enter codes such as E66.9.`
  const { codesMax } = noteLimits
  return codes.length > codesMax ? `Enter at most ${codesMax} codes.` : undefined
}

type NoteRow = 'writeNote' | 'writeVisitNote'
type AddendumRow = 'addAddendum' | 'addVisitAddendum'

type FormProps = {
  readonly call: ConsoleCall
  readonly draft: Note | undefined
  readonly templates: readonly Template[]
  readonly confirmation: Confirmation | null
  readonly row: NoteRow
  /** Says what else signs the draft. */
  readonly hint?: string
  /** The page stays open, so the draft is saved while typing and signed elsewhere. */
  readonly stays?: boolean
}

/** With scripts, saves a draft while typing; its button always works. */
export function NoteForm({ call, draft, templates, confirmation, row, hint, stays }: FormProps) {
  const sent = call.row === row ? noteOf(call.form) : null
  const { body, codes } = sent ?? draft ?? { body: '', codes: [] }
  return (
    <RowForm call={call} path={call.pathOf(row)} class="note-form">
      <div class="insert" hidden>
        {templates.map(one => (
          <button
            type="button"
            key={one.name}
            class="button second small"
            data-insert={one.body}
            data-into="note-body"
          >
            {one.name}
          </button>
        ))}
      </div>
      <div class="field">
        <label for="note-body">Note</label>
        <p class="hint" id="note-hint">
          Only the clinic’s staff can read notes. {hint}
        </p>
        <textarea
          id="note-body"
          name="body"
          rows={10}
          maxLength={noteLimits.bodyMax}
          aria-describedby="note-hint"
        >
          {body}
        </textarea>
      </div>
      <Codes codes={codes} />
      {stays !== true && <Signing call={call} confirmation={confirmation} row={row} />}
      <p class="fine" role="status" data-saved>
        {draft !== undefined && (
          <>
            Draft saved <Time at={draft.updated_at} />
          </>
        )}
      </p>
    </RowForm>
  )
}

type SigningProps = Pick<FormProps, 'call' | 'confirmation' | 'row'>

const Signing = ({ call, confirmation, row }: SigningProps) => (
  <>
    <ConfirmationFields call={call} of={confirmation} name={row} />
    <div class="actions">
      <button class={row === 'writeNote' ? 'button second' : 'button'} name="sign" value="1">
        Sign note
      </button>
      <button class="button second">Save draft</button>
    </div>
  </>
)

const Codes = ({ codes }: { codes: readonly string[] }) => (
  <div class="field">
    <label for="note-codes">
      ICD-10-CM codes <span class="optional">(optional)</span>
    </label>
    <p class="hint" id="codes-hint">
      Separate codes with commas, such as E66.9, Z68.34. We check their format, not whether they
      exist: there’s no code list here.
    </p>
    <input
      id="note-codes"
      name="codes"
      value={codes.join(', ')}
      autocomplete="off"
      autocapitalize="characters"
      aria-describedby="codes-hint"
    />
    <Fault name="note-codes" fault={codesFault(codes)} />
  </div>
)

type ListProps = {
  readonly call: ConsoleCall
  readonly notes: readonly Note[]
  /** Absent, like `row`, if notes are read-only. */
  readonly confirmation?: Confirmation | null
  readonly row?: AddendumRow
}

/** Signed notes, latest first. */
export function Notes({ call, notes, confirmation = null, row }: ListProps) {
  const signed = notes.filter(({ signed_at }) => signed_at !== null).toReversed()
  if (signed.length === 0) return <p class="quiet">No signed notes.</p>
  return (
    <ol class="notes">
      {signed.map(note => (
        <li key={note.id}>
          <p class="fine">
            {note.by.name} · signed <Time at={note.signed_at ?? note.updated_at} />
            {note.visit !== null && ' · visit note'}
          </p>
          {note.codes.length > 0 && <p class="codes">{note.codes.join(', ')}</p>}
          <p class="lines">{note.body}</p>
          {note.addenda.map(one => (
            <div key={one.id} class="addendum">
              <p class="fine">
                Addendum · {one.by.name} · <Time at={one.created_at} />
              </p>
              <p class="lines">{one.body}</p>
            </div>
          ))}
          {row !== undefined && call.mayOpen(row) && (
            <AddendumForm call={call} note={note} confirmation={confirmation} row={row} />
          )}
        </li>
      ))}
    </ol>
  )
}

type AddendumProps = {
  readonly call: ConsoleCall
  readonly note: Note
  readonly confirmation: Confirmation | null
  readonly row: AddendumRow
}

const AddendumForm = ({ call, note, confirmation, row }: AddendumProps) => {
  const isSent = call.row === row && call.form.get('note') === note.id
  return (
    <details open={isSent}>
      <summary>Add addendum</summary>
      <RowForm call={call} path={call.pathOf(row)} class="stack">
        <Hidden name="note" value={note.id} />
        <div class="field">
          <label for={`add-${note.id}`}>Addendum</label>
          <textarea id={`add-${note.id}`} name="body" rows={3} maxLength={noteLimits.addendumMax}>
            {isSent ? (call.form.get('body') ?? '') : ''}
          </textarea>
        </div>
        <ConfirmationFields call={call} of={confirmation} name={row} id={note.id} />
        <button class="button second small">Sign addendum</button>
      </RowForm>
    </details>
  )
}
