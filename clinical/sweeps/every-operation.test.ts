// What holds for every row of the table. Each sweep is made from the table, so a new row is swept
// on the day it is written: its scene is all that the compiler asks for.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { apiVersion } from '#contract/limits.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { ask, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { audited, inLive, misordered, wrongWith } from '../testing/sweep.ts'
import { contents, queryAsOwner } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

const writes = operationIds.filter(id => isWrite(table[id]))

type Told = { id: string; type: string }
const eventsAfter = (id: string) =>
  queryAsOwner<Told>(fixtures, sql`select id, type from test.events where id > ${id} order by id`)
const lastEvent = async () =>
  (
    await queryAsOwner<Told>(
      fixtures,
      sql`select id, type from test.events order by id desc limit 1`,
    )
  )[0]?.id ?? ''

describe('a call that succeeds', () => {
  for (const id of operationIds) {
    test(`${id} answers what its row says, is audited once and tells only its own events`, async () => {
      const row = table[id]
      const asked = await validCalls[id](fixtures, fixtures.ada.test)
      const [before, events] = [await contents(fixtures), await lastEvent()]
      const { answer, rows } = await audited(fixtures, () => ask(fixtures, id, asked))
      expect([id, answer.status, answer.body]).toEqual([id, row.status, answer.body])
      expect(wrongWith(id, answer.body)).toEqual([])
      expect(misordered(row.returns, answer.body)).toEqual([])
      expect(rows).toMatchObject([
        { action: id, outcome: 'ok', status: row.status, code: null, actor: fixtures.ada.testKey },
      ])
      const made = isWrite(row) ? (answer.body.id ?? null) : null
      expect([asked.id ?? null, made]).toContain(rows[0]?.target ?? null)
      if (asked.id !== undefined || made !== null) expect(rows[0]?.target).toBeString()
      const told = await eventsAfter(events)
      const own: readonly string[] = row.emits ?? []
      for (const { type } of told) expect(own).toContain(type)
      if (row.emits) expect(told).not.toEqual([])
      // A read leaves nothing but its audit row.
      if (!isWrite(row)) expect(await contents(fixtures)).toEqual(before)
    })
  }
})

describe('a call in live', () => {
  // In live a clinician decides, in the clinic's own console: what follows a decision is not there.
  const decided = new Set<OperationId>([
    'answerCase',
    'listPrescriptions',
    'getPrescription',
    'listOrders',
    'getOrder',
  ])
  for (const id of inLive.filter(one => !decided.has(one))) {
    test(`${id} answers as in test, and touches nothing of test`, async () => {
      const as = fixtures.ada.live
      const before = await contents(fixtures)
      const asked = { ...(await validCalls[id](fixtures, as)), as }
      const { status, body } = await ask(fixtures, id, asked)
      expect([id, status, wrongWith(id, body)]).toEqual([id, table[id].status, []])
      const after = Object.entries(await contents(fixtures))
      const touched = after.filter(([name, rows]) => before[name] !== rows).map(([name]) => name)
      expect(touched.filter(name => !name.startsWith('live.'))).toEqual([])
    })
  }
})

describe('a replay', () => {
  for (const id of writes) {
    test(`${id} answers the same bytes, is audited as replayed and changes nothing`, async () => {
      const asked = { ...(await validCalls[id](fixtures, fixtures.ada.test)), key: `once-${id}` }
      const first = await ask(fixtures, id, { ...asked, request: 'req_01m7wqryjrscqnw9bcr5fpqt88' })
      expect(first.status).toBe(table[id].status)
      expect(first.headers).not.toHaveProperty('idempotent-replayed')
      const before = await contents(fixtures)
      const { answer, rows } = await audited(fixtures, () => ask(fixtures, id, asked))
      expect([answer.status, answer.text]).toEqual([first.status, first.text])
      expect(answer.headers).toEqual({
        ...first.headers,
        'idempotent-replayed': 'true',
        'original-request-id': 'req_01m7wqryjrscqnw9bcr5fpqt88',
      })
      const { status } = first
      expect(rows).toMatchObject([{ action: id, outcome: 'replayed', status, code: null }])
      expect(await contents(fixtures)).toEqual(before)
    })

    test(`${id} is told that its key was used for another request`, async () => {
      const asked = { ...(await validCalls[id](fixtures, fixtures.ada.test)), key: `reused-${id}` }
      await must(fixtures, id, asked)
      const before = await contents(fixtures)
      const other = await ask(fixtures, id, { ...asked, body: { another: true } })
      expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused'])
      expect(await contents(fixtures)).toEqual(before)
    })

    test(`${id} runs as new under the key of a request that was refused`, async () => {
      const asked = { ...(await validCalls[id](fixtures, fixtures.ada.test)), key: `refused-${id}` }
      const refused = await ask(fixtures, id, { ...asked, body: { nonsense: true } })
      expect(refused.code).toBe('invalid_request')
      const run = await ask(fixtures, id, asked)
      expect(run.status).toBe(table[id].status)
      expect(run.headers).not.toHaveProperty('idempotent-replayed')
    })
  }
})

describe('a version', () => {
  for (const id of operationIds) {
    test(`${id} takes the version it answers in`, async () => {
      const asked = await validCalls[id](fixtures, fixtures.ada.test)
      expect((await ask(fixtures, id, { ...asked, version: apiVersion })).status).toBe(
        table[id].status,
      )
    })
  }
})

describe('round trips', () => {
  for (const id of operationIds) {
    const most = isWrite(table[id]) ? 3 : 2
    test(`${id} takes at most ${most}`, async () => {
      // The first call of a key in a minute notes besides that it is in use.
      await must(fixtures, 'getOrganization')
      const asked = await validCalls[id](fixtures, fixtures.ada.test)
      const before = fixtures.context.pools.test.roundTrips()
      await must(fixtures, id, asked)
      expect(fixtures.context.pools.test.roundTrips() - before).toBeLessThanOrEqual(most)
    })
  }
})
