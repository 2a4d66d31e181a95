// Rules for every operation in the table. The tests are generated from the table, so they cover a
// new operation as soon as it has a valid call in testing/valid-calls.ts.

import { afterEach, describe, expect, test } from 'bun:test'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { apiVersion } from '#contract/limits.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { auditRowsOf, liveOperations, misorderedMembers, schemaErrors } from '../testing/sweep.ts'
import { tableContents, queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const writes = callableIds.filter(id => isWrite(callable[id]))

/** The audited caller; every-audit.test.ts has the callers with tokens. */
const callerOf = (id: CallableId) => ({
  surface: 'rest',
  action: id,
  actor: fixtures.ada.testKey,
  person: null,
  client: null,
})

type EventRow = { id: string; type: string }
const eventsAfter = (id: string) =>
  queryAsOwner<EventRow>(
    fixtures,
    sql`select id, type from test.events where id > ${id} order by id`,
  )
const lastEvent = async () =>
  (
    await queryAsOwner<EventRow>(
      fixtures,
      sql`select id, type from test.events order by id desc limit 1`,
    )
  )[0]?.id ?? ''

describe('a call that succeeds', () => {
  for (const id of callableIds) {
    test(`${id} returns what its row declares, and writes one audit row and only its own events`, async () => {
      const row = callable[id]
      const options = await validCalls[id](fixtures, fixtures.ada.test)
      const [before, last] = [await tableContents(fixtures), await lastEvent()]
      const { answer, rows } = await auditRowsOf(fixtures, () => invoke(fixtures, id, options))
      expect([id, answer.status, answer.body]).toEqual([id, row.status, answer.body])
      expect(schemaErrors(id, answer.body)).toEqual([])
      expect(misorderedMembers(row.returns, answer.body)).toEqual([])
      expect(rows).toMatchObject([
        { ...callerOf(id), outcome: 'ok', status: row.status, code: null },
      ])
      const made = isWrite(row) ? (answer.body.id ?? null) : null
      expect([options.id ?? null, made]).toContain(rows[0]?.target ?? null)
      if (options.id !== undefined || made !== null) expect(rows[0]?.target).toBeString()
      const events = await eventsAfter(last)
      const own: readonly string[] = row.emits ?? []
      for (const { type } of events) expect(own).toContain(type)
      if (row.emits) expect(events).not.toEqual([])
      // A read writes nothing but its audit row.
      if (!isWrite(row)) expect(await tableContents(fixtures)).toEqual(before)
    })
  }
})

describe('a call in live mode', () => {
  // In live mode the clinic's console decides, so these operations have no rows to act on.
  const decided = new Set<CallableId>([
    'answerCase',
    'listPrescriptions',
    'getPrescription',
    'listOrders',
    'getOrder',
  ])
  for (const id of liveOperations.filter(one => !decided.has(one))) {
    test(`${id} succeeds in live mode, and writes nothing in test mode`, async () => {
      const as = fixtures.ada.live
      const before = await tableContents(fixtures)
      const options = { ...(await validCalls[id](fixtures, as)), as }
      const { status, body } = await invoke(fixtures, id, options)
      expect([id, status, schemaErrors(id, body)]).toEqual([id, callable[id].status, []])
      const after = Object.entries(await tableContents(fixtures))
      const touched = after.filter(([name, rows]) => before[name] !== rows).map(([name]) => name)
      expect(touched.filter(name => !name.startsWith('live.'))).toEqual([])
    })
  }
})

describe('a replay', () => {
  for (const id of writes) {
    test(`${id} runs with a refused request's key, then replays its bytes and refuses another request`, async () => {
      const options = {
        ...(await validCalls[id](fixtures, fixtures.ada.test)),
        // The longest key that's accepted.
        key: `once-${id}`.padEnd(255, '!'),
      }
      const refused = await invoke(fixtures, id, { ...options, body: { nonsense: true } })
      expect(refused.code).toBe('invalid_request')

      const first = await invoke(fixtures, id, {
        ...options,
        request: 'req_01m7wqryjrscqnw9bcr5fpqt88',
      })
      expect(first.status).toBe(callable[id].status)
      expect(first.headers).not.toHaveProperty('idempotent-replayed')

      const before = await tableContents(fixtures)
      const { answer, rows } = await auditRowsOf(fixtures, () => invoke(fixtures, id, options))
      expect([answer.status, answer.text]).toEqual([first.status, first.text])
      expect(answer.headers).toEqual({
        ...first.headers,
        'idempotent-replayed': 'true',
        'original-request-id': 'req_01m7wqryjrscqnw9bcr5fpqt88',
      })
      const { status } = first
      expect(rows).toMatchObject([{ ...callerOf(id), outcome: 'replayed', status, code: null }])

      const other = await invoke(fixtures, id, { ...options, body: { another: true } })
      expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused'])
      expect(await tableContents(fixtures)).toEqual(before)
    })
  }
})

describe('round trips', () => {
  for (const id of callableIds) {
    const most = isWrite(callable[id]) ? 3 : 2
    test(`${id} takes at most ${most} round trips to the database, with the current API-Version`, async () => {
      // A key's first call in a minute also records that the key is in use.
      await invokeOk(fixtures, 'getOrganization')
      const call = await validCalls[id](fixtures, fixtures.ada.test)
      const options = { ...call, version: apiVersion }
      const before = fixtures.context.pools.test.roundTrips()
      await invokeOk(fixtures, id, options)
      expect(fixtures.context.pools.test.roundTrips() - before).toBeLessThanOrEqual(most)
    })
  }
})
