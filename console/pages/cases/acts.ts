// What the forms of a case do. Each carries the version that was read; a refusal shows the page
// again with what was typed.
import type { ConsoleId } from '#contract/console.ts'
import { limits } from '#contract/limits.ts'
import type { ConsoleHandler, OperationResult } from '../../context.ts'
import { casePage } from './case.tsx'
import { bodyOf, linesOf } from './plan.ts'

/** `said`: what the page says when it was done. */
const act =
  <K extends ConsoleId>(
    operation: K,
    said: string,
    bodyOfForm: (form: URLSearchParams) => object = () => ({}),
  ): ConsoleHandler =>
  async (_, call) => {
    const version = call.form.get('version') ?? ''
    const body = { version, ...bodyOfForm(call.form) }
    const done: OperationResult<K> = await call.perform(operation, { body })
    if (done.problem) return casePage(call, done.problem)
    return { redirect: call.pathOf('case', { id: call.names['id'] ?? '' }, { done: said }) }
  }

const textOf = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')

export const claim = act('claimCase', 'claimed')
export const unclaim = act('unclaimCase', 'released')

export const approve = act('approveCase', 'signed', form => ({
  plan: bodyOf(linesOf(form)).slice(0, limits.planLinesMax),
}))

export const decline = act('declineCase', 'declined', form => ({ reason: textOf(form, 'reason') }))

export const ask = act('askQuestion', 'asked', form => ({
  target: form.get('target'),
  question: textOf(form, 'question'),
}))

export const write = act('writeMessage', 'written', form => ({ body: textOf(form, 'body') }))
