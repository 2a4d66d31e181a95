// The matrix of contract/03, section 6, every cell: five states by six ways to touch a visit. The
// table is typed here from the paper, so that the code's own rows are judged and not repeated.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { type Asked, ask, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { refused, told } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, joinable, type Visit } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

const columns = ['reschedule', 'cancel', 'start', 'complete', 'no_show', 'join'] as const
type Column = (typeof columns)[number]

// `–` is a refusal, `✓` changes nothing.
const paper = `
scheduled scheduled cancelled started –         no_show ✓
started   –         –         –       completed –       ✓
completed –         –         –       –         –       –
cancelled –         –         –       –         –       –
no_show   –         –         –       –         –       –`

const matrix = paper
  .trim()
  .split('\n')
  .map(line => line.split(/\s+/))
  .map(([state = '', ...cells]) => ({ state, cells }))

const operations: Record<Column, OperationId> = {
  reschedule: 'rescheduleVisit',
  cancel: 'cancelVisit',
  start: 'startVisit',
  complete: 'completeVisit',
  no_show: 'noShowVisit',
  join: 'getJoinLink',
}

const types: Record<Exclude<Column, 'join'>, string> = {
  reschedule: 'visit.rescheduled.v1',
  cancel: 'visit.cancelled.v1',
  start: 'visit.started.v1',
  complete: 'visit.completed.v1',
  no_show: 'visit.no_show.v1',
}

async function askedOf(column: Column, visit: Visit): Promise<Asked> {
  const { id } = visit
  if (column === 'join') return { id, at: joinable(visit) }
  if (column !== 'reschedule') return { id }
  return { id, body: { starts_at: (await freeStarts(fixtures, visit.state))[0] } }
}

/** How a visit is brought to each state. */
const roads: Record<string, Column[]> = {
  scheduled: [],
  started: ['start'],
  completed: ['start', 'complete'],
  cancelled: ['cancel'],
  no_show: ['no_show'],
}

async function visitIn(state: string): Promise<Visit> {
  const booked = await bookedVisit(fixtures)
  for (const column of roads[state] ?? []) {
    await must(fixtures, operations[column], await askedOf(column, booked))
  }
  const visit = await must(fixtures, 'getVisit', { id: booked.id })
  expect(visit.status).toBe(state)
  return visit
}

/** The states from which the paper lets a column through, sorted. */
const sources = (column: Column): string[] =>
  matrix
    .filter(row => row.cells[columns.indexOf(column)] !== '–')
    .map(row => row.state)
    .sort()

describe.each(matrix)('$state', ({ state, cells }) => {
  test.each(columns.map((column, at) => [column, cells[at] ?? '–'] as const))(
    '%s: %s',
    async (column, to) => {
      const visit = await visitIn(state)
      const asked = await askedOf(column, visit)
      const { id } = visit
      if (to === '–') {
        const replied = await refused(fixtures, operations[column], 'invalid_transition', asked)
        expect(replied.body.members).toEqual({
          resource: { type: 'visit', id },
          current_status: state,
          allowed_from: sources(column),
        })
        return
      }
      const { lines } = await told(fixtures, () => must(fixtures, operations[column], asked))
      const found = await must(fixtures, 'getVisit', { id })
      if (column === 'join') {
        expect([lines, found]).toEqual([[], visit])
        return
      }
      const [first, ...more] = lines
      expect(first).toBe(`${types[column]} ${state} → ${to} ${id}`)
      // A charge is raised by completion and by nothing else.
      expect(more).toEqual(
        column === 'complete'
          ? [expect.stringMatching(/^charge\.created\.v1 null → pending /)]
          : [],
      )
      expect(found.status).toBe(to)
    },
  )
})

test('the table holds every state and every column once', () => {
  expect(matrix.map(row => row.state)).toEqual(Object.keys(roads))
  expect(matrix.map(row => row.cells.length)).toEqual(matrix.map(() => columns.length))
})

describe('the moments of a visit', () => {
  test('started_at and ended_at are those of its moves, and each change is a later one', async () => {
    const booked = await bookedVisit(fixtures)
    const { id } = booked
    expect([booked.started_at, booked.ended_at]).toEqual([null, null])
    expect(booked.updated_at).toBe(booked.created_at)
    const started = await must(fixtures, 'startVisit', { id })
    expect([started.started_at, started.ended_at]).toEqual([started.updated_at, null])
    const completed = await must(fixtures, 'completeVisit', { id })
    expect(completed).toEqual({
      ...started,
      status: 'completed',
      ended_at: completed.updated_at,
      updated_at: completed.updated_at,
    })
    expect([booked, started, completed].map(one => one.updated_at)).toEqual(
      [booked, started, completed].map(one => one.updated_at).toSorted(),
    )
  })

  test.each(['cancelVisit', 'noShowVisit'] as const)('%s ends what never began', async move => {
    const { id } = await bookedVisit(fixtures)
    const ended = await must(fixtures, move, { id })
    expect([ended.started_at, ended.ended_at]).toEqual([null, ended.updated_at])
  })

  test('a control works at any hour: no test waits for the start', async () => {
    const { id, starts_at } = await bookedVisit(fixtures)
    const after = Date.parse(starts_at) + 86_400_000 * 3
    await must(fixtures, 'startVisit', { id, at: after })
    await must(fixtures, 'completeVisit', { id, at: after })
  })
})

test('the same status twice is a refusal with a new key, and a replay with the old one', async () => {
  const { id } = await bookedVisit(fixtures)
  const first = await ask(fixtures, 'cancelVisit', { id, key: 'the-one' })
  await refused(fixtures, 'cancelVisit', 'invalid_transition', { id, key: 'another' })
  expect((await ask(fixtures, 'cancelVisit', { id, key: 'the-one' })).text).toBe(first.text)
})
