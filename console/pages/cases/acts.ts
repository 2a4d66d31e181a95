// What the forms of a case do.
import type { ConsoleId } from '#contract/console/operations.ts'
import { act, textOf } from '../../act.ts'
import type { ConsoleHandler } from '../../context.ts'
import { casePage } from './case.tsx'
import { bodyOf, linesOf } from './plan.ts'

const onCase = (
  operation: ConsoleId,
  said: string,
  body?: (form: URLSearchParams) => object,
): ConsoleHandler => act({ operation, said, page: 'case', show: casePage, ...(body && { body }) })

export const claim = onCase('claimCase', 'claimed')
export const unclaim = onCase('unclaimCase', 'released')
export const approve = onCase('approveCase', 'signed', form => ({ plan: bodyOf(linesOf(form)) }))
export const decline = onCase('declineCase', 'declined', form => ({
  reason: textOf(form, 'reason'),
}))
export const ask = onCase('askQuestion', 'asked', form => ({
  target: form.get('target'),
  question: textOf(form, 'question'),
}))
export const write = onCase('writeMessage', 'written', form => ({ body: textOf(form, 'body') }))
