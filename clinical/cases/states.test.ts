// The matrix of contract/03, section 2, every cell: nine states by nine ways to touch a case. The
// table is typed here from the paper, so that the code's own rows are judged and not repeated.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

const columns = [
  'release',
  'cancel',
  'withdraw',
  'answers',
  'approve',
  'decline',
  'ask patient',
  'ask integration',
  'message',
  'clinician_message',
] as const
type Column = (typeof columns)[number]

// `–` is a refusal, `✓` keeps the state, W the case's own wait: waiting_on_*.
const paper = `
received                queued cancelled withdrawn –         –        –        –  –  ✓ ✓
queued                  –      cancelled withdrawn –         approved declined WP WI ✓ ✓
in_review               –      –         withdrawn –         approved declined WP WI ✓ ✓
waiting_on_patient      –      cancelled withdrawn in_review approved declined WP WI ✓ ✓
waiting_on_integration  –      cancelled withdrawn in_review approved declined WP WI ✓ ✓
approved                –      –         –         –         –        –        –  –  ✓ ✓
declined                –      –         –         –         –        –        –  –  ✓ ✓
cancelled               –      –         –         –         –        –        –  –  – –
withdrawn               –      –         –         –         –        –        –  –  – –`

const words: Record<string, string> = { WP: 'waiting_on_patient', WI: 'waiting_on_integration' }
const matrix = paper
  .trim()
  .split('\n')
  .map(line => line.split(/\s+/))
  .map(([state = '', ...cells]) => ({ state, cells: cells.map(cell => words[cell] ?? cell) }))

const needsInfo = (target: string) => ({ decision: 'needs_info', target, question: 'Since when?' })
const calls: Record<Column, [OperationId, object?]> = {
  release: ['releaseCase'],
  cancel: ['cancelCase'],
  withdraw: ['withdrawCase'],
  answers: ['answerCase', { answers: [{ answer: 'In May.' }] }],
  approve: ['decideCase', { decision: 'approve' }],
  decline: ['decideCase', { decision: 'decline', reason: 'Not safe.' }],
  'ask patient': ['decideCase', needsInfo('patient')],
  'ask integration': ['decideCase', needsInfo('integration')],
  message: ['createMessage', { body: 'Hello.' }],
  clinician_message: ['sendClinicianMessage', { body: 'Hello.' }],
}

const move = (id: string, column: Column) => {
  const [operation, body] = calls[column]
  return must(fixtures, operation, { id, body })
}

/** How a case is brought to each state. */
const roads: Record<string, Column[]> = {
  received: [],
  queued: [],
  in_review: ['ask patient', 'answers'],
  waiting_on_patient: ['ask patient'],
  waiting_on_integration: ['ask integration'],
  approved: ['approve'],
  declined: ['decline'],
  cancelled: ['cancel'],
  withdrawn: ['withdraw'],
}

async function caseIn(state: string): Promise<string> {
  const { id } = await queuedCase(fixtures, undefined, { hold: state === 'received' })
  for (const column of roads[state] ?? []) await move(id, column)
  expect((await must(fixtures, 'getCase', { id })).status).toBe(state)
  return id
}

/** The states from which the paper lets a column through, sorted. */
const sources = (column: Column): string[] =>
  matrix
    .filter(row => row.cells[columns.indexOf(column)] !== '–')
    .map(row => row.state)
    .sort()

const decisions = new Set<Column>(['approve', 'decline', 'ask patient', 'ask integration'])

/** The case's own events that a move writes, as the table of transitions lists them. */
function eventsOf(column: Column, from: string, to: string): string[] {
  const seen = (type: string, before: string, after: string) =>
    `case.${type}.v1 ${before} → ${after}`
  if (to === '✓') return [seen('message_created', from, from)]
  const last = decisions.has(column) ? 'in_review' : from
  const asked = to.startsWith('waiting') ? [seen('question_asked', to, to)] : []
  const said = column === 'answers' ? [seen('message_created', to, to)] : []
  const passed = last === from ? [] : [seen('in_review', from, 'in_review')]
  return [...passed, seen(to, last, to), ...asked, ...said]
}

describe.each(matrix)('$state', ({ state, cells }) => {
  test.each(columns.map((column, at) => [column, cells[at] ?? '–'] as const))(
    '%s: %s',
    async (column, to) => {
      const id = await caseIn(state)
      const [operation, body] = calls[column]
      if (to === '–') {
        const { body: problem } = await refused(fixtures, operation, 'invalid_transition', {
          id,
          body,
        })
        expect(problem.members).toEqual({
          resource: { type: 'case', id },
          current_status: state,
          allowed_from: sources(column),
        })
        return
      }
      const { lines } = await told(fixtures, () => move(id, column))
      const own = lines.filter(line => line.endsWith(` ${id}`))
      expect(own).toEqual(eventsOf(column, state, to).map(line => `${line} ${id}`))
      const found = await must(fixtures, 'getCase', { id })
      expect(found.status).toBe(to === '✓' ? state : to)
      expect(found.question === null).toBe(!found.status.startsWith('waiting'))
    },
  )
})

test('the table holds every state and every column once', () => {
  expect(matrix.map(row => row.state)).toEqual(Object.keys(roads))
  expect(matrix.map(row => row.cells.length)).toEqual(matrix.map(() => columns.length))
})

test('the same status twice is a refusal with a new key, and a replay with the old one', async () => {
  const id = await caseIn('queued')
  const first = await must(fixtures, 'cancelCase', { id, key: 'the-one' })
  await refused(fixtures, 'cancelCase', 'invalid_transition', { id, key: 'another' })
  expect(await must(fixtures, 'cancelCase', { id, key: 'the-one' })).toEqual(first)
})

test.each([
  ['in_review', 'cancelCase', 'While it is in review, it takes POST /v1/cases/{id}/withdraw.'],
  [
    'received',
    'decideCase',
    'While it is received, it takes POST /v1/cases/{id}/release, POST /v1/cases/{id}/cancel, ' +
      'POST /v1/cases/{id}/withdraw.',
  ],
  ['withdrawn', 'withdrawCase', 'No call of yours moves it while it is withdrawn.'],
] as const)(
  'while %s, the refusal of %s says what the case takes',
  async (state, operation, hint) => {
    const id = await caseIn(state)
    const body = operation === 'decideCase' ? { decision: 'approve' } : undefined
    expect((await refused(fixtures, operation, 'invalid_transition', { id, body })).body.hint).toBe(
      hint,
    )
  },
)
