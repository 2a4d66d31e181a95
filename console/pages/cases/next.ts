// Moves from case to case: claims the next one, skips one, and continues after a decision.
import type { Problem } from '#contract/problems.ts'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import { casePage } from './case.tsx'

/** Each extra attempt skips a case that another clinician claimed in the meantime. */
const attemptsMax = 5

/** Claims the oldest unassigned case after `last`. Returns null if none is left. */
async function claimNext(call: ConsoleCall, last?: string): Promise<string | null> {
  let after = last
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = await call.perform('findNextCase', { id: null, query: { after } })
    const next = found.problem === null ? found.value.case : null
    if (next === null) return null
    const body = { version: next.updated_at }
    const claimed = await call.perform('claimCase', { id: next.id, body, once: call.once() })
    if (claimed.problem === null) return next.id
    after = next.id
  }
  return null
}

export const takeNext: ConsoleHandler = async (_, call) => {
  const next = await claimNext(call)
  return {
    redirect:
      next === null
        ? call.pathOf('queue', {}, { done: 'empty' })
        : call.pathOf('case', { id: next }),
  }
}

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
  const next = await claimNext(call, id)
  return {
    redirect:
      next === null
        ? call.pathOf('queue', {}, { done: 'empty' })
        : call.pathOf('case', { id: next }),
  }
}

/** Returns the path after a decision: the next case if the form requests it, otherwise the decided
 *  case. */
export async function pathAfter(call: ConsoleCall, done: string): Promise<string> {
  const id = call.names['id'] ?? ''
  if (call.form.get('after') !== 'next') return call.pathOf('case', { id }, { done })
  const next = await claimNext(call, id)
  return next === null
    ? call.pathOf('case', { id }, { done, last: '1' })
    : call.pathOf('case', { id: next }, { done, before: id })
}
