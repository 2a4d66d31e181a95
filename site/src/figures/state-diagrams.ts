import { machines, type Transition } from '#contract/states.ts'
import type { Figure } from './figure.ts'

// A diagram with a resource's states as rows and its operations as columns. A ring marks a state in
// which an operation is allowed, and a dot marks the resulting state.

const [labels, column, row, head] = [186, 60, 32, 44]

export const stateDiagramName = (resource: string) => `states-${resource.toLowerCase()}`

type Moving = Transition<string> & { name: string; to: string }

const movingOf = (transitions: Readonly<Record<string, Transition<string>>>): Moving[] =>
  Object.entries(transitions).flatMap(([name, each]) =>
    each.to === null ? [] : [{ ...each, name, to: each.to }],
  )

const endsOf = ({ to, ends }: Moving) => ends ?? [to]

export const stateDiagrams: Figure[] = Object.entries(machines).map(([resource, machine]) => {
  const moving = movingOf(machine.transitions)
  return {
    name: stateDiagramName(resource),
    svg: draw(machine.states, moving),
    head: ['state', 'where an operation leads'],
    rows: machine.states.map(state => [
      state,
      moving
        .filter(({ from }) => from.includes(state))
        .map(each => `${each.name}: ${endsOf(each).join(', ')}`)
        .join('; ') || 'final',
    ]),
  }
})

function draw(states: readonly string[], moving: Moving[]): string {
  const width = labels + moving.length * column
  const height = head + states.length * row
  const y = (state: string) => head + states.indexOf(state) * row + row / 2
  const isFinal = (state: string) => !moving.some(({ from }) => from.includes(state))
  const rows = states.flatMap(state => [
    `<path class="f-hair" d="M0 ${y(state) + row / 2}H${width}"/>`,
    `<text class="${isFinal(state) ? 'f-quiet' : 'f-ink'} f-mono" x="0" y="${y(state) + 4}">${state}</text>`,
  ])
  const drawn = moving.map((each, at) => {
    const x = labels + at * column + column / 2
    const ends = endsOf(each)
    const all = [...each.from, ...ends].map(y)
    return [
      `<text class="f-ink f-small" x="${x}" y="18" text-anchor="middle">${each.name}</text>`,
      `<path class="f-edge f-on" d="M${x} ${Math.min(...all)}V${Math.max(...all)}"/>`,
      ...each.from.map(state => `<circle class="f-ring" cx="${x}" cy="${y(state)}" r="5.5"/>`),
      ...ends.map(
        state =>
          `<circle class="f-node" cx="${x}" cy="${y(state)}" r="${each.from.includes(state) ? 2.5 : 5.5}"/>`,
      ),
    ].join('')
  })
  const top = `<path class="f-hair" d="M0 ${head - 10}H${width}"/>`
  return [`<svg viewBox="0 0 ${width} ${height}">`, top, ...rows, ...drawn, '</svg>'].join('')
}
