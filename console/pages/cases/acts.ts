// Handles the forms on a case.
import type { ConsoleId } from '#contract/console/operations.ts'
import { confirmed, textOf } from '../../act.ts'
import type { ConsoleHandler, OperationResult } from '../../context.ts'
import { casePage } from './case.tsx'
import { pathAfter, release } from './next.ts'
import { addAddendumOn, writeNoteOn } from './note-acts.ts'
import { parseNullable } from './notes.tsx'
import { bodyOf, linesOf, placedInForm } from './plan.ts'

type CaseAct = {
  readonly operation: ConsoleId
  /** The text on the next page. */
  readonly done: string
  /** Whether the action needs a fresh second factor, which its form then requests. */
  readonly signs?: boolean
  body?(form: URLSearchParams): object
}

const onCase = ({ operation, done, signs = false, body = () => ({}) }: CaseAct) => {
  const handler: ConsoleHandler = async (context, call) => {
    const version = call.form.get('version')
    const result: OperationResult<ConsoleId> = await call.perform(operation, {
      body: { ...(version !== null && { version }), ...body(call.form) },
    })
    if (result.problem) {
      return casePage(context, call, { problem: placedInForm(result.problem, call.form) })
    }
    if (operation === 'askQuestion' && call.form.get('after') === 'next') {
      await release(call, (result.value as { updated_at: string }).updated_at)
    }
    return { redirect: await pathAfter(call, done) }
  }
  return signs ? confirmed(casePage, handler) : handler
}

export const claim = onCase({ operation: 'claimCase', done: 'claimed' })
const releaseCase = onCase({ operation: 'unclaimCase', done: 'released' })
/** A page's script sends the form when the browser's last window with the case is closed. The case
 *  may still be open in another browser. */
export const unclaim: ConsoleHandler = async (context, call) =>
  call.form.has('closed') && (await context.sessions.isElsewhere(call.session))
    ? { redirect: call.pathOf('case') }
    : releaseCase(context, call)

/** What the page showed when the decision was signed. */
function readIn(form: URLSearchParams): object {
  const message = form.get('last_message')
  const note = form.get('note_version')
  return {
    ...(message !== null && { last_message: parseNullable(message) }),
    ...(note !== null && { note_version: parseNullable(note) }),
  }
}

export const approve = onCase({
  operation: 'approveCase',
  done: 'signed',
  signs: true,
  body: form => ({ plan: bodyOf(linesOf(form)), ...readIn(form) }),
})
export const decline = onCase({
  operation: 'declineCase',
  done: 'declined',
  signs: true,
  body: form => ({ reason: textOf(form, 'reason'), ...readIn(form) }),
})
const onPage = { page: 'case', show: casePage } as const
export const writeNote = writeNoteOn({ kind: 'Case', ...onPage })
export const addAddendum = addAddendumOn({
  ...onPage,
  async notesOf(call) {
    const found = await call.perform('readChart')
    return found.problem ? [] : found.value.chart.notes
  },
})
export const ask = onCase({
  operation: 'askQuestion',
  done: 'asked',
  body: form => ({ target: form.get('target'), question: textOf(form, 'question') }),
})
export const write = onCase({
  operation: 'writeMessage',
  done: 'written',
  body: form => ({ body: textOf(form, 'body') }),
})
export const dismiss = onCase({ operation: 'dismissMessages', done: 'dismissed' })
