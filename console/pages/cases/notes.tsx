// Clinical notes: a draft next to the chart, signed notes, and addenda.
import { noteLimits } from '#contract/console/notes.ts'
import { Hidden } from '#http/html/fields.tsx'
import { RowForm, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall } from '../../context.ts'
import type { Template } from '../texts/read.ts'
import { type Confirmation, ConfirmationFields } from '../../confirm.tsx'
import { CodeLines, type CodeList, Codes, codesIn, type Note } from './codes.tsx'

/** A version or an ID that may be null, as a hidden field. */
export const formatNullable = (value: string | null | undefined): string => value ?? 'none'
export const parseNullable = (field: string | null) => (field === 'none' ? null : field)

export const noteText = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()

/** A form's text and codes. */
export const noteOf = (form: URLSearchParams) => ({
  body: noteText(form.get('body') ?? ''),
  codes: codesIn(form.get('codes') ?? ''),
})

type NoteRow = 'writeNote' | 'writeVisitNote'
type AddendumRow = 'addAddendum' | 'addVisitAddendum'

type FormProps = {
  readonly call: ConsoleCall
  readonly draft: Note | undefined
  readonly list: CodeList
  readonly templates: readonly Template[]
  readonly confirmation: Confirmation | null
  readonly row: NoteRow
  /** A hint about the other action that signs the draft. */
  readonly hint?: ComponentChildren
  /** Whether the page stays open, so the draft is saved while typing and signed elsewhere. */
  readonly stays?: boolean
}

/** With scripts, saves a draft while typing; the form's button also works without scripts. */
export function NoteForm(props: FormProps) {
  const { call, draft, list, templates, confirmation, row, hint, stays } = props
  const sent = call.row === row ? noteOf(call.form) : null
  const saved = draft?.codes ?? []
  const { body, codes } = sent ?? { body: draft?.body ?? '', codes: saved.map(one => one.code) }
  const isChanged =
    sent !== null &&
    call.form.get('version') !== formatNullable(draft?.updated_at) &&
    (draft?.body !== body || codes.join() !== saved.map(one => one.code).join())
  return (
    <RowForm call={call} path={call.pathOf(row)} class="note-form">
      <Hidden name="version" value={formatNullable(draft?.updated_at)} />
      {isChanged && <OtherText draft={draft} />}
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
      <Codes call={call} list={list} codes={codes} saved={saved} />
      {stays !== true && <Signing call={call} confirmation={confirmation} row={row} />}
      <p class="fine" role="status" data-saved>
        {draft !== undefined && !isChanged && (
          <>
            Draft saved <Time at={draft.updated_at} />
          </>
        )}
      </p>
    </RowForm>
  )
}

/** The stored text next to the typed text, which isn't based on it. The script saves nothing until
 *  the person has chosen. */
const OtherText = ({ draft }: { draft: Note | undefined }) => (
  <div class="note" data-changed>
    {draft === undefined ? (
      <p>You signed this note in another window. Signing the text below creates another note.</p>
    ) : (
      <>
        <p>
          Saved in another window <Time at={draft.updated_at} />. Saving or signing the text below
          replaces it.
        </p>
        <p class="lines">{draft.body}</p>
        {draft.codes.length > 0 && <CodeLines codes={draft.codes} />}
      </>
    )}
  </div>
)

type SigningProps = Pick<FormProps, 'call' | 'confirmation' | 'row'>

const Signing = ({ call, confirmation, row }: SigningProps) => (
  <>
    <ConfirmationFields call={call} of={confirmation} name={row} />
    <div class="actions">
      {/* Enter in a field presses the first button. */}
      <button class="button second">Save draft</button>
      <button class={row === 'writeNote' ? 'button second' : 'button'} name="sign" value="1">
        Sign note
      </button>
    </div>
  </>
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
          {note.codes.length > 0 && <CodeLines codes={note.codes} />}
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
      <RowForm call={call} path={call.pathOf(row)} class="stack" isUnsaved={isSent}>
        <Hidden name="note" value={note.id} />
        <div class="field">
          <label for={`add-${note.id}`}>Addendum</label>
          <textarea id={`add-${note.id}`} name="body" rows={3} maxLength={noteLimits.addendumMax}>
            {isSent ? (call.form.get('body') ?? '') : ''}
          </textarea>
        </div>
        <ConfirmationFields call={call} of={confirmation} name={row} id={note.id} isSent={isSent} />
        <button class="button second small">Sign addendum</button>
      </RowForm>
    </details>
  )
}
