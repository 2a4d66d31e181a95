import { arrowheads, edge, node, type State } from './case-states.ts'
import { type Transition, visitTransitions } from '#contract/states.ts'
import type { Figure } from './figure.ts'

/** The five visit states, and who changes each. */
const states: State[] = [
  { name: 'scheduled', x: 92, y: 28, note: 'booked; rescheduling keeps this status' },
  { name: 'started', x: 92, y: 118, note: 'the clinician started the visit' },
  { name: 'completed', x: 92, y: 208, note: 'final; the only status we charge for' },
  { name: 'cancelled', x: 286, y: 28, note: 'final; canceled by you, or the patient was deleted' },
  { name: 'no_show', x: 286, y: 98, note: 'final; the patient didn’t show up, no charge' },
]

const moves = Object.entries<Transition<string>>(visitTransitions).flatMap(([name, { from, to }]) =>
  to === null
    ? []
    : from
        .filter(each => each !== to)
        .map(each => ({ from: each, to, by: name === 'miss' ? 'no_show' : name })),
)

function at(name: string): State {
  const state = states.find(each => each.name === name)
  if (state === undefined) throw new Error(`a visit has no state ${name}`)
  return state
}

const nowhere = new Set<string>()

export const visitStates: Figure = {
  name: 'visit-states',
  svg: [
    `<svg viewBox="0 0 380 232"><defs>${arrowheads}</defs>`,
    ...moves.map(move => edge(at(move.from), at(move.to), false)),
    ...states.map(state => node(state, nowhere)),
    '</svg>',
  ].join(''),
  head: ['status', 'meaning', 'next'],
  rows: states.map(({ name, note }) => [
    name,
    note,
    moves
      .filter(move => move.from === name)
      .map(move => `${move.to} (${move.by})`)
      .join(', ') || 'final',
  ]),
}
