// What a refused move is told to do instead: the calls that its resource's status allows, read from
// the same rows that refused it.

import { type OperationId, table } from '#contract/api.ts'
import type { Transition } from '#contract/states.ts'

type Transitions = Readonly<Record<string, Transition<string>>>

/** Only those that the caller can make: who plays the clinic is in test mode. */
export function nextCalls(transitions: Transitions, refused: string, status: string): string {
  const rowOf = (move: string) => table[transitions[move]?.by as OperationId]
  const isInTest = rowOf(refused).mode === 'test'
  const calls = Object.entries(transitions)
    .filter(([, { from, to }]) => to !== null && from.includes(status))
    .map(([move]) => rowOf(move))
    .filter(({ mode }) => isInTest || mode !== 'test')
    .map(({ method, path }) => `${method} ${path}`)
  const name = status.replaceAll('_', ' ')
  return calls.length > 0
    ? `While it is ${name}, it takes ${calls.join(', ')}.`
    : `No call of yours moves it while it is ${name}.`
}
