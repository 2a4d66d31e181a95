import { caseTransitions, type Transition } from '#contract/states.ts'
import type { Figure } from './figure.ts'

export type State = { name: string; x: number; y: number; note: string }
type Move = { from: string; to: string; by: string }
export type Step = { at: string; type: string; from: string; to: string }

/** The nine case states, and who changes each. */
const states: State[] = [
  { name: 'received', x: 92, y: 28, note: 'filed with hold, so you can attach files first' },
  { name: 'queued', x: 92, y: 118, note: 'waiting for a clinician' },
  { name: 'in_review', x: 92, y: 238, note: 'opened by a clinician' },
  { name: 'waiting_on_patient', x: 286, y: 198, note: 'the clinician asked the patient' },
  { name: 'waiting_on_integration', x: 286, y: 278, note: 'the clinician asked you' },
  { name: 'approved', x: 92, y: 372, note: 'final; prescriptions and orders exist' },
  { name: 'declined', x: 286, y: 372, note: 'final; the reason is safe to show the patient' },
  { name: 'cancelled', x: 92, y: 462, note: 'final; canceled by you, unless in review' },
  {
    name: 'withdrawn',
    x: 286,
    y: 462,
    note: 'final; withdrawn by the patient, from any open status',
  },
]

const drawnBy: Readonly<Record<string, string>> = {
  release: 'release',
  answer: 'answers',
  decide: 'a clinician opens it',
  approved: 'approve',
  declined: 'decline',
  waiting_on_patient: 'needs_info',
  waiting_on_integration: 'needs_info',
}

/** The transitions that the contract allows, one line each. */
const allowed: Move[] = Object.entries<Transition<string>>(caseTransitions).flatMap(
  ([name, { from, to, ends = [] }]) => {
    if (to === null) return []
    const by = drawnBy[name] ?? name
    // A clinician who decides a waiting case first returns it to review. The `answer` transition
    // already has that line.
    const first = ends.length > 0 ? from.filter(each => !ends.includes(each)) : from
    const moved = first.filter(each => each !== to).map(each => ({ from: each, to, by }))
    return [...moved, ...ends.map(end => ({ from: to, to: end, by: drawnBy[end] ?? end }))]
  },
)

/** Leaves out canceled and withdrawn, whose lines start almost everywhere and would hide the
 *  rest. */
const moves = allowed.filter(({ to }) => !['cancelled', 'withdrawn'].includes(to))

/** The steps of one sandbox case, from its events. */
export const trace: Step[] = [
  { at: '15:04:07.011', type: 'case.queued.v1', from: '', to: 'queued' },
  { at: '15:07:12.401', type: 'case.in_review.v1', from: 'queued', to: 'in_review' },
  {
    at: '15:07:12.402',
    type: 'case.waiting_on_patient.v1',
    from: 'in_review',
    to: 'waiting_on_patient',
  },
  { at: '15:08:40.231', type: 'case.in_review.v1', from: 'waiting_on_patient', to: 'in_review' },
  { at: '15:10:00.501', type: 'case.approved.v1', from: 'in_review', to: 'approved' },
]

const characterWidth = 7.25
const half = 15

const widthOf = (name: string) => name.length * characterWidth + 22

function at(name: string): State {
  const state = states.find(each => each.name === name)
  if (state === undefined) throw new Error(`a case has no state ${name}`)
  return state
}

export function node({ name, x, y }: State, walked: Set<string>): string {
  const width = widthOf(name)
  const on = walked.has(name)
  return [
    `<rect class="${on ? 'f-state f-on' : 'f-state'}" x="${x - width / 2}" y="${y - half}" width="${width}" height="${half * 2}" rx="4"/>`,
    `<text class="${on ? 'f-ink f-mono f-strong' : 'f-quiet f-mono'}" x="${x}" y="${y + 4}" text-anchor="middle">${name}</text>`,
  ].join('')
}

/** Draws a line from a state's right edge to the left edge of its neighbor, or back. */
export function edge(from: State, to: State, on: boolean): string {
  const kind = on ? 'f-edge f-on' : 'f-edge'
  const tip = on ? 'url(#tip-on)' : 'url(#tip)'
  if (from.x === to.x) {
    return `<path class="${kind}" d="M${from.x} ${from.y + half}V${to.y - half - 7}" marker-end="${tip}"/>`
  }
  if (to.x < from.x) {
    // Ends inside the outgoing line, at the middle of the edge where that line started.
    const end = to.x + widthOf(to.name) / 2
    const y = from.y + Math.sign(to.y - from.y) * 9
    return `<path class="${kind}" d="M${from.x - widthOf(from.name) / 2} ${y}H${end + 42}V${to.y}H${end + 7}" marker-end="${tip}"/>`
  }
  const start = from.x + widthOf(from.name) / 2
  const end = to.x - widthOf(to.name) / 2
  if (Math.abs(to.y - from.y) > 100) {
    const turn = from.y + 78
    return `<path class="${kind}" d="M${from.x + 24} ${from.y + half}V${turn}H${to.x}V${to.y - half - 7}" marker-end="${tip}"/>`
  }
  const y = from.y + Math.sign(to.y - from.y) * 7
  const bend = start + 13
  return `<path class="${kind}" d="M${start} ${y}H${bend}V${to.y}H${end - 7}" marker-end="${tip}"/>`
}

function badge(number: number, x: number, y: number): string {
  return `<circle class="f-badge" cx="${x}" cy="${y}" r="9"/><text class="f-badge-text" x="${x}" y="${y + 3.5}" text-anchor="middle">${number}</text>`
}

/** A dot marks the start, as in every state diagram: a case without a hold starts as queued. */
const entry = `<circle class="f-node" cx="8" cy="118" r="5"/><path class="f-edge f-on" d="M8 118H${92 - widthOf('queued') / 2 - 7}" marker-end="url(#tip-on)"/>`

const numbers =
  badge(1, 38, 118) +
  badge(2, 92, 174) +
  badge(3, 165, 198) +
  badge(4, 178, 221) +
  badge(5, 92, 302)

export const arrowheads = ['tip', 'tip-on']
  .map(
    id =>
      `<marker id="${id}" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="${id}" d="M0 0L8 4L0 8z"/></marker>`,
  )
  .join('')

/** The whole state machine, with the steps of one case marked. */
export function drawStates(steps: Step[]): string {
  const walked = new Set(steps.map(step => step.to))
  const went = (move: Move) => steps.some(step => step.from === move.from && step.to === move.to)
  // The case's steps are drawn above the other lines.
  const drawn = moves.toSorted((a, b) => Number(went(a)) - Number(went(b)))
  const badges = steps.length === 0 ? '' : entry + numbers
  return [
    `<svg viewBox="0 0 380 486"><defs>${arrowheads}</defs>`,
    ...drawn.map(move => edge(at(move.from), at(move.to), went(move))),
    ...states.map(state => node(state, walked)),
    `<text class="f-quiet f-small" x="0" y="424">Closed without a decision (can’t cancel while in review):</text>`,
    `${badges}</svg>`,
  ].join('')
}

export const caseStates: Figure = {
  name: 'case-states',
  svg: drawStates([]),
  head: ['status', 'meaning', 'next'],
  rows: states.map(({ name, note }) => [
    name,
    note,
    allowed
      .filter(move => move.from === name)
      .map(move => `${move.to} (${move.by})`)
      .join(', ') || 'final',
  ]),
}
