// Moves from case to case: claims the next one, skips one, and continues after a decision.
import { Problem, problems } from '#contract/problems.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { casePage } from './case.tsx'

/** Each extra attempt skips a case that another clinician claimed in the meantime. After the newest
 *  case, the search starts again, so without this limit it could go on forever. */
const attemptsMax = 25

/** Claims the oldest unassigned case after `last`. Returns null if none is left. */
async function claimNext(call: ConsoleCall, last?: string): Promise<string | null | Problem> {
  let after = last
  let refusal: Problem | null = null
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = await call.perform('findNextCase', { id: null, query: { after } })
    if (found.problem) return found.problem
    const next = found.value.case
    if (next === null) return null
    const body = { version: next.updated_at }
    const claimed = await call.perform('claimCase', { id: next.id, body, once: call.once() })
    if (claimed.problem === null) return next.id
    refusal = claimed.problem
    // In the meantime, another clinician claimed the case, or it changed.
    if (problems[refusal.code].status !== 409) return refusal
    after = next.id
  }
  return refusal
}

async function openNext(call: ConsoleCall, last?: string): Promise<PageAnswer> {
  const next = await claimNext(call, last)
  if (next instanceof Problem) return refused('Take the next case', next)
  if (next === null) return { redirect: call.pathOf('queue', {}, { done: 'empty' }) }
  return { redirect: call.pathOf('case', { id: next }) }
}

export const takeNext: ConsoleHandler = (_, call) => openNext(call)

/** Best effort: a remaining claim expires on its own. */
export const release = (call: ConsoleCall, version: string) =>
  call.perform('unclaimCase', { body: { version }, once: call.once() })

/** Whether the form isn't one from a case's page. */
const isWrong = ({ code }: Problem) => code === 'not_found' || code === 'invalid_request'

/** Releases the case and claims the next one. */
export const skip: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  const released = await release(call, call.form.get('version') ?? '')
  if (released.problem && isWrong(released.problem)) {
    return casePage(context, call, { problem: released.problem })
  }
  return openNext(call, id)
}

/** Returns the path after a decision: the next case if the form requests it, otherwise the decided
 *  case. */
export async function pathAfter(call: ConsoleCall, done: string): Promise<string> {
  const id = call.names['id'] ?? ''
  if (call.form.get('after') !== 'next') return call.pathOf('case', { id }, { done })
  const next = await claimNext(call, id)
  // The decision is stored, so the person stays with its case.
  if (next instanceof Problem) return call.pathOf('case', { id }, { done })
  return next === null
    ? call.pathOf('case', { id }, { done, last: '1' })
    : call.pathOf('case', { id: next }, { done, before: id })
}
