// Moves from case to case: claims the next one, skips one, and continues after a decision.
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'

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

/** Releases the case and claims the next one. */
export const skip: ConsoleHandler = async (_, call) => {
  const id = call.names['id'] ?? ''
  const version = call.form.get('version')
  if (version !== null) await release(call, version)
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
