// Every operation on a visit in every state. The table is written out here instead of derived from
// contract/states.ts, so a mistake there fails a test.

import { describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { type CallOptions, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectRefused, eventsOf } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, joinTimeOf, type Visit } from '../testing/visits.ts'

const fixtures = useFixtures()

const columns = ['reschedule', 'cancel', 'start', 'complete', 'no_show', 'join'] as const
type Column = (typeof columns)[number]

// `–` means refused, and `✓` means allowed without a status change.
const stateTable = `
scheduled scheduled cancelled started –         no_show ✓
started   –         –         –       completed –       ✓
completed –         –         –       –         –       –
cancelled –         –         –       –         –       –
no_show   –         –         –       –         –       –`

const matrix = stateTable
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

async function optionsOf(column: Column, visit: Visit): Promise<CallOptions> {
  const { id } = visit
  if (column === 'join') return { id, at: joinTimeOf(visit) }
  if (column !== 'reschedule') return { id }
  return { id, body: { starts_at: (await freeStarts(fixtures, visit.state))[0] } }
}

/** The operations that put a visit in each state. */
const pathsTo: Record<string, Column[]> = {
  scheduled: [],
  started: ['start'],
  completed: ['start', 'complete'],
  cancelled: ['cancel'],
  no_show: ['no_show'],
}

async function visitIn(state: string): Promise<Visit> {
  const booked = await bookedVisit(fixtures)
  for (const column of pathsTo[state] ?? []) {
    await invokeOk(fixtures, operations[column], await optionsOf(column, booked))
  }
  const visit = await invokeOk(fixtures, 'getVisit', { id: booked.id })
  expect(visit.status).toBe(state)
  return visit
}

/** Returns the states where the table allows an operation, sorted. */
const sources = (column: Column): string[] =>
  matrix
    .filter(row => row.cells[columns.indexOf(column)] !== '–')
    .map(row => row.state)
    .sort()

describe.each(matrix)('a visit in $state', ({ state, cells }) => {
  test.each(columns.map((column, at) => [column, cells[at] ?? '–'] as const))(
    '%s: %s',
    async (column, to) => {
      const visit = await visitIn(state)
      const options = await optionsOf(column, visit)
      const { id } = visit
      if (to === '–') {
        const replied = await expectRefused(
          fixtures,
          operations[column],
          'invalid_transition',
          options,
        )
        expect(replied.body.members).toEqual({
          resource: { type: 'visit', id },
          current_status: state,
          allowed_from: sources(column),
        })
        return
      }
      const { lines } = await eventsOf(fixtures, () =>
        invokeOk(fixtures, operations[column], options),
      )
      const found = await invokeOk(fixtures, 'getVisit', { id })
      if (column === 'join') {
        expect([lines, found]).toEqual([[], visit])
        return
      }
      const [first, ...more] = lines
      expect(first).toBe(`${types[column]} ${state} → ${to} ${id}`)
      // Only a completion creates a charge.
      expect(more).toEqual(
        column === 'complete'
          ? [expect.stringMatching(/^charge\.created\.v1 null → pending /)]
          : [],
      )
      expect(found.status).toBe(to)
    },
  )
})

test('visit states: the table has every state and every operation once', () => {
  expect(matrix.map(row => row.state)).toEqual(Object.keys(pathsTo))
  expect(matrix.map(row => row.cells.length)).toEqual(matrix.map(() => columns.length))
})

describe('visit timestamps', () => {
  test('started_at and ended_at are the times of the transitions, and updated_at ascends', async () => {
    const booked = await bookedVisit(fixtures)
    const { id } = booked
    expect([booked.started_at, booked.ended_at]).toEqual([null, null])
    expect(booked.updated_at).toBe(booked.created_at)
    const started = await invokeOk(fixtures, 'startVisit', { id })
    expect([started.started_at, started.ended_at]).toEqual([started.updated_at, null])
    const completed = await invokeOk(fixtures, 'completeVisit', { id })
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

  test.each(['cancelVisit', 'noShowVisit'] as const)(
    '%s sets ended_at and leaves started_at null',
    async move => {
      const { id } = await bookedVisit(fixtures)
      const ended = await invokeOk(fixtures, move, { id })
      expect([ended.started_at, ended.ended_at]).toEqual([null, ended.updated_at])
    },
  )

  test('sandbox controls work at any time, before and after the start', async () => {
    const { id, starts_at } = await bookedVisit(fixtures)
    const after = Date.parse(starts_at) + 86_400_000 * 3
    await invokeOk(fixtures, 'startVisit', { id, at: after })
    await invokeOk(fixtures, 'completeVisit', { id, at: after })
  })
})
