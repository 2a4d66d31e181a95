// Handles the note forms: saves a draft, signs it, adds an addendum. One form saves a draft
// repeatedly, so each save has its own key. A save by a script gets the draft's new version.
import { Problem } from '#contract/problems.ts'
import type { ConsoleId } from '#contract/console/operations.ts'
import { confirmed, type Show, textOf } from '../../act.ts'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import type { PageId } from '../../table.ts'
import { codesFault, type Note } from './codes.tsx'
import { noteOf, noteText, parseNullable } from './notes.tsx'

type Act = {
  readonly operation: ConsoleId
  readonly signs: boolean
  readonly done: string
  readonly id?: string
  readonly body: object
}

const act = (
  { operation, signs, done, id, body }: Act,
  { page, show }: { page: PageId; show: Show },
): ConsoleHandler => {
  const handler: ConsoleHandler = async (context, call) => {
    const result: OperationResult<ConsoleId> = await call.perform(operation, {
      ...(id !== undefined && { id }),
      body,
      ...(!signs && { once: call.once() }),
    })
    if (result.problem) return show(context, call, { problem: result.problem })
    if (call.request.headers.has('x-autosave')) {
      const content = JSON.stringify({ version: (result.value as Note).updated_at })
      return { file: { name: 'draft.json', type: 'application/json', content } }
    }
    return { redirect: call.pathOf(page, {}, { done }) }
  }
  return signs ? confirmed(show, handler) : handler
}

type On = { readonly kind: 'Case' | 'Visit'; readonly page: PageId; readonly show: Show }

export const writeNoteOn =
  ({ kind, ...shown }: On): ConsoleHandler =>
  (context, call) => {
    const note = noteOf(call.form)
    if (codesFault(note.codes) !== undefined) return shown.show(context, call, { status: 422 })
    const body = { ...note, version: parseNullable(call.form.get('version')) }
    const signs = call.form.has('sign')
    const earlier = call.form.has('unconfirmed') && {
      unconfirmed: noteText(call.form.get('unconfirmed') ?? ''),
    }
    const does = signs
      ? act({ operation: `sign${kind}Note`, signs, done: 'noted', body }, shown)
      : act(
          { operation: `save${kind}Note`, signs, done: 'saved', body: { ...body, ...earlier } },
          shown,
        )
    return does(context, call)
  }

type OnNotes = Omit<On, 'kind'> & {
  /** The page's notes; none if the page doesn't exist. */
  notesOf(call: ConsoleCall): Promise<readonly Note[]>
}

export const addAddendumOn =
  ({ notesOf, ...shown }: OnNotes): ConsoleHandler =>
  async (context, call) => {
    const id = call.form.get('note') ?? ''
    const notes = await notesOf(call)
    if (!notes.some(note => note.id === id)) {
      return shown.show(context, call, { problem: new Problem('not_found') })
    }
    const body = { body: textOf(call.form, 'body') }
    const operation = 'addAddendum'
    return act({ operation, signs: true, done: 'amended', id, body }, shown)(context, call)
  }
