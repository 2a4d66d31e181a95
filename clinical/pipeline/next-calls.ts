// The hint for a refused transition. It lists the calls that the resource's status allows, derived
// from the transition table that refused the call.

import { type OperationId, table } from '#contract/api.ts'
import type { Transition } from '#contract/states.ts'

type Transitions = Readonly<Record<string, Transition<string>>>

/** Lists sandbox controls only for a caller that just used a sandbox control, and so has a test
 *  key. */
export function nextCalls(
  noun: 'case' | 'order' | 'visit',
  transitions: Transitions,
  refused: string,
  status: string,
): string {
  const rowOf = (move: string) => table[transitions[move]?.by as OperationId]
  const isInTest = rowOf(refused).mode === 'test'
  const open = Object.entries(transitions)
    .filter(([, { from, to }]) => to !== null && from.includes(status))
    .map(([move]) => rowOf(move))
  const calls = open
    .filter(({ mode }) => isInTest || mode !== 'test')
    .map(({ method, path }) => `${method} ${path}`)
  const word = status.replaceAll('_', '-')
  const named = `${/^[aeiou]/.test(word) ? 'An' : 'A'} ${word} ${noun}`
  if (open.length === 0) return `${named} is final; no API call can change it.`
  return calls.length > 0
    ? `${named} accepts ${calls.join(', ')}.`
    : `Only the clinic can change a ${word} ${noun}. Read it again later.`
}
