// What the forms of notes do: save a draft, sign it, add an addendum. A draft is saved by one form
// again and again, so each save has a key of its own.
import type { ConsoleId } from '#contract/console/operations.ts'
import type { ConfirmationFault } from '#auth/accounts/confirmations.ts'
import type { Problem } from '#contract/problems.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { textOf } from '../../act.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import type { PageId } from '../../table.ts'
import { confirmInForm } from './confirm.tsx'
import { codesFault, noteOf } from './notes.tsx'

/** `status`: of a page whose own field says what to correct. */
export type Refused = {
  readonly problem?: Problem
  readonly fault?: ConfirmationFault
  readonly status?: 422
}
type Show = (context: ConsoleContext, call: ConsoleCall, refused: Refused) => Promise<PageAnswer>

type Act = {
  readonly operation: ConsoleId
  readonly signs: boolean
  readonly done: string
  readonly id?: string
  readonly body: object
}

async function act(
  context: ConsoleContext,
  given: ConsoleCall,
  { operation, signs, done, id, body }: Act,
  { page, show }: { page: PageId; show: Show },
): Promise<PageAnswer> {
  const fault = signs && !given.isFactorFresh ? await confirmInForm(context, given) : null
  if (fault !== null) return show(context, given, { fault })
  const call = signs ? { ...given, isFactorFresh: true } : given
  const result: OperationResult<ConsoleId> = await call.perform(operation, {
    ...(id !== undefined && { id }),
    body,
    once: call.once(),
  })
  if (result.problem) return show(context, call, { problem: result.problem })
  return { redirect: call.pathOf(page, {}, { done }) }
}

type On = { readonly kind: 'Case' | 'Visit'; readonly page: PageId; readonly show: Show }

export const writeNoteOn =
  ({ kind, ...shown }: On): ConsoleHandler =>
  (context, call) => {
    const body = noteOf(call.form)
    if (codesFault(body.codes) !== undefined) return shown.show(context, call, { status: 422 })
    const signs = call.form.has('sign')
    return signs
      ? act(context, call, { operation: `sign${kind}Note`, signs, done: 'noted', body }, shown)
      : act(context, call, { operation: `save${kind}Note`, signs, done: 'saved', body }, shown)
  }

export const addAddendumOn =
  (shown: Omit<On, 'kind'>): ConsoleHandler =>
  (context, call) => {
    const id = call.form.get('note') ?? ''
    const body = { body: textOf(call.form, 'body') }
    const operation = 'addAddendum'
    return act(context, call, { operation, signs: true, done: 'amended', id, body }, shown)
  }
