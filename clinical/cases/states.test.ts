// Every operation on a case in every state. The table is written out here instead of derived from
// contract/states.ts, so a mistake there fails a test.

import { describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectRefused, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()

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

// `–` means refused, and `✓` means allowed without a status change. WP is waiting_on_patient, WI is
// waiting_on_integration.
const stateTable = `
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
const matrix = stateTable
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
  return invokeOk(fixtures, operation, { id, body })
}

/** The operations that put a case in each state. */
const pathsTo: Record<string, Column[]> = {
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
  for (const column of pathsTo[state] ?? []) await move(id, column)
  expect((await invokeOk(fixtures, 'getCase', { id })).status).toBe(state)
  return id
}

/** Returns the states where the table allows an operation, sorted. */
const sources = (column: Column): string[] =>
  matrix
    .filter(row => row.cells[columns.indexOf(column)] !== '–')
    .map(row => row.state)
    .sort()

const decisions = new Set<Column>(['approve', 'decline', 'ask patient', 'ask integration'])

/** Returns the events that an operation writes about the case. */
function expectedEvents(column: Column, from: string, to: string): string[] {
  const line = (type: string, before: string, after: string) =>
    `case.${type}.v1 ${before} → ${after}`
  if (to === '✓') return [line('message_created', from, from)]
  const last = decisions.has(column) ? 'in_review' : from
  const question = to.startsWith('waiting') ? [line('question_asked', to, to)] : []
  const message = column === 'answers' ? [line('message_created', to, to)] : []
  const review = last === from ? [] : [line('in_review', from, 'in_review')]
  return [...review, line(to, last, to), ...question, ...message]
}

describe.each(matrix)('a case in $state', ({ state, cells }) => {
  test.each(columns.map((column, at) => [column, cells[at] ?? '–'] as const))(
    '%s: %s',
    async (column, to) => {
      const id = await caseIn(state)
      const [operation, body] = calls[column]
      if (to === '–') {
        const { body: problem } = await expectRefused(fixtures, operation, 'invalid_transition', {
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
      const { lines } = await eventsOf(fixtures, () => move(id, column))
      const own = lines.filter(line => line.endsWith(` ${id}`))
      expect(own).toEqual(expectedEvents(column, state, to).map(line => `${line} ${id}`))
      const found = await invokeOk(fixtures, 'getCase', { id })
      expect(found.status).toBe(to === '✓' ? state : to)
      expect(found.question === null).toBe(!found.status.startsWith('waiting'))
    },
  )
})

test('case states: the table has every state and every operation once', () => {
  expect(matrix.map(row => row.state)).toEqual(Object.keys(pathsTo))
  expect(matrix.map(row => row.cells.length)).toEqual(matrix.map(() => columns.length))
})

test.each([
  ['in_review', 'cancelCase', 'An in-review case accepts POST /v1/cases/{id}/withdraw.'],
  [
    'received',
    'decideCase',
    'A received case accepts POST /v1/cases/{id}/release, POST /v1/cases/{id}/cancel, ' +
      'POST /v1/cases/{id}/withdraw.',
  ],
  ['withdrawn', 'withdrawCase', 'A withdrawn case is final; no API call can change it.'],
] as const)(
  'a case in %s: the refusal of %s lists the allowed calls',
  async (state, operation, hint) => {
    const id = await caseIn(state)
    const body = operation === 'decideCase' ? { decision: 'approve' } : undefined
    expect(
      (await expectRefused(fixtures, operation, 'invalid_transition', { id, body })).body.hint,
    ).toBe(hint)
  },
)
