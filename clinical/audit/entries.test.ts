// Every call writes one audit row, no matter how the call ends, and no row contains patient data or
// a key.

import { describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import type { CallOptions } from '../testing/call.ts'
import { consentedPatient, invoke, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { unknownId, queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()

type Entry = {
  mode: string | null
  integration: string | null
  organization: string | null
  actor: string | null
  person: string | null
  client: string | null
  surface: string
  action: string
  target: string | null
  outcome: string
  status: number
  code: string | null
  request: string
  address: string | null
  agent: string | null
}

let calls = 0

/** Makes one request and returns its audit rows, found by its request ID. */
async function audited(operation: OperationId, options: CallOptions = {}): Promise<Entry[]> {
  const request = `req_1000000000000000000000${String(calls++).padStart(4, '0')}`
  await invoke(fixtures, operation, { ...options, request })
  await fixtures.context.auditWriter.flush()
  const rows = await queryAsOwner<Entry>(
    fixtures,
    sql`select mode, integration, organization, actor, person, client, surface, action, target, outcome, status,
               code, request, address, agent
          from audit.entries where request = ${request} order by seq`,
  )
  return [...rows]
}

const ada = () => ({
  mode: 'test',
  integration: fixtures.ada.integration,
  organization: fixtures.ada.organization,
  actor: fixtures.ada.testKey,
  person: null,
  client: null,
  surface: 'rest',
  address: '203.0.113.7',
  agent: 'a test',
})

const actors = { actor: null, person: null, client: null }
const noCaller = { mode: null, integration: null, organization: null, ...actors }

/** Returns outcome, status, code and target from a request's only audit row. */
const brief = async (operation: OperationId, options: CallOptions = {}) => {
  const rows = await audited(operation, options)
  expect(rows).toHaveLength(1)
  const [row] = rows
  return [row?.outcome, row?.status, row?.code, row?.target]
}

describe('audit of successful calls', () => {
  test('a create records the new ID, the caller and the address', async () => {
    const [row, ...others] = await audited('createPatient', { body: rivera, key: 'made' })
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera, key: 'made' })
    expect(others).toEqual([])
    expect(row).toMatchObject({
      ...ada(),
      action: 'createPatient',
      target: id,
      outcome: 'ok',
      status: 201,
      code: null,
    })
  })

  test('reads, lists, moves and deletes record the ID in their path', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id } = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
    expect(await brief('getCase', { id })).toEqual(['ok', 200, null, id])
    expect(await brief('listCases')).toEqual(['ok', 200, null, null])
    expect(await brief('listMessages', { id })).toEqual(['ok', 200, null, id])
    expect(await brief('getOrganization')).toEqual(['ok', 200, null, null])
    expect(await brief('listMedications')).toEqual(['ok', 200, null, null])
    expect(await brief('cancelCase', { id })).toEqual(['ok', 200, null, id])
    const { patient } = agreed
    expect(await brief('updatePatient', { id: patient, body: {} })).toEqual([
      'ok',
      200,
      null,
      patient,
    ])
    expect(await brief('deletePatient', { id: patient })).toEqual(['ok', 200, null, patient])
  })

  test('a write retried after a conflict writes one row', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const since = calls
    const patches = Array.from({ length: 8 }, (_, at) =>
      audited('updatePatient', { id, body: { first_name: `n${at}` } }),
    )
    for (const rows of await Promise.all(patches)) {
      expect(rows.map(row => row.outcome)).toEqual(['ok'])
    }
    expect(calls - since).toBe(8)
  })
})

describe('audit of replays', () => {
  test('each replay writes its own row, whether or not its facts were read first', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera, key: 'again' })
    const create = { body: rivera, key: 'again' }
    expect((await brief('createPatient', create)).slice(0, 3)).toEqual(['replayed', 201, null])
    expect((await brief('createPatient', create)).slice(0, 3)).toEqual(['replayed', 201, null])
    await invokeOk(fixtures, 'deletePatient', { id, key: 'gone' })
    expect(await brief('deletePatient', { id, key: 'gone' })).toEqual(['replayed', 200, null, id])
  })
})

describe('audit of refusals', () => {
  test('every refusal of an authenticated caller writes a row with its code', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera, key: 'spent' })
    const none = unknownId('pat')
    expect(await brief('getPatient', { id: none })).toEqual(['refused', 404, 'not_found', none])
    expect(await brief('getMedication', { id: unknownId('med') })).toEqual([
      'refused',
      404,
      'not_found',
      unknownId('med'),
    ])
    const bad = { body: { ...rivera, phone: '1' } }
    const refusals: [OperationId, CallOptions, number, string][] = [
      ['createPatient', bad, 400, 'invalid_request'],
      ['createPatient', { body: rivera, key: null }, 400, 'idempotency_key_required'],
      ['createPatient', { body: bad.body, key: 'spent' }, 422, 'idempotency_key_reused'],
      [
        'createCase',
        { body: caseBody({ patient: id, telehealth: id, privacy: id }) },
        400,
        'invalid_request',
      ],
      ['listPatients', { query: 'limit=0' }, 400, 'invalid_request'],
      [
        'listPatients',
        { organization: fixtures.ben.organization },
        403,
        'organization_not_granted',
      ],
    ]
    for (const [operation, options, status, code] of refusals) {
      expect(await brief(operation, options)).toEqual(['refused', status, code, null])
    }
    const live = { as: fixtures.ada.live, id: unknownId('case'), body: { decision: 'approve' } }
    expect(await brief('decideCase', live)).toEqual(['refused', 403, 'forbidden', live.id])
  })

  test('an internal error is recorded as an error, not as a refusal', async () => {
    await queryAsOwner(fixtures, sql`alter table test.patients rename to elsewhere`)
    const options = { body: rivera }
    const [row, ...others] = await audited('createPatient', options)
    await queryAsOwner(fixtures, sql`alter table test.elsewhere rename to patients`)
    expect(others).toEqual([])
    expect(row).toMatchObject({ ...ada(), outcome: 'error', status: 500, code: 'internal_error' })
  })
})

describe('audit of unauthenticated calls', () => {
  test('an internal error during authentication writes a row', async () => {
    await fixtures.reopen()
    await queryAsOwner(fixtures, sql`alter table auth.credentials rename to elsewhere`)
    const [row, ...others] = await audited('listPatients')
    await queryAsOwner(fixtures, sql`alter table auth.elsewhere rename to credentials`)
    expect(others).toEqual([])
    expect(row).toMatchObject({ mode: null, actor: null, outcome: 'error', status: 500 })
  })

  test('a refused credential writes a row without a mode, after the response', async () => {
    const flipped = `${fixtures.ada.test.slice(0, 30)}${fixtures.ada.test[30] === 'A' ? 'B' : 'A'}${fixtures.ada.test.slice(31)}`
    for (const as of [null, 'nonsense', flipped]) {
      const [row, ...others] = await audited('listPatients', { as })
      expect(others).toEqual([])
      expect(row).toMatchObject({
        ...noCaller,
        action: 'listPatients',
        outcome: 'refused',
        status: 401,
        code: 'unauthorized',
        address: '203.0.113.7',
      })
    }
  })

  test('a mistyped key is refused without a query', async () => {
    const key = fixtures.ada.test
    const pool = { ...fixtures.context.pools.test, use: () => Promise.reject(new Error('a query')) }
    const context = { ...fixtures.context, pools: { test: pool, live: pool } }
    const away: Fixtures = { ...fixtures, context }
    for (const at of [0, 7, 12, 33, 54, 55, 60]) {
      const as = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`
      const read = await invoke(away, 'listPatients', { as, address: '203.0.113.9' })
      const write = { as, body: rivera, address: '203.0.113.9' }
      expect([read.status, (await invoke(away, 'createPatient', write)).status]).toEqual([401, 401])
    }
    await fixtures.context.auditWriter.flush()
  })

  test('concurrent flushes write each queued row once', async () => {
    const rowsOf = async () =>
      (
        await queryAsOwner<{ count: number }>(
          fixtures,
          sql`select count(*)::int as count from audit.entries where address = '203.0.113.8'`,
        )
      )[0]?.count
    for (let at = 0; at < 40; at++) {
      await invoke(fixtures, 'listPatients', { as: 'nonsense', address: '203.0.113.8' })
    }
    await Promise.all([fixtures.context.auditWriter.flush(), fixtures.context.auditWriter.flush()])
    expect(await rowsOf()).toBe(40)
    await fixtures.context.auditWriter.flush()
    expect(await rowsOf()).toBe(40)
  })
})

test('audit: no column contains a patient value or a key', async () => {
  const marked = {
    first_name: 'MarkerAda',
    last_name: 'MarkerRivera',
    email: 'marker@example.com',
    phone: '+19995550142',
    external_id: 'MarkerExternal',
  }
  const { id } = await invokeOk(fixtures, 'createPatient', {
    body: { ...rivera, ...marked },
    key: 'MarkerKey',
  })
  const agreed = await consentedPatient(fixtures)
  const answers = [{ id: 'MarkerId', question: 'MarkerQuestion', answer: 'MarkerAnswer' }]
  const filed = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { answers }) })
  await invokeOk(fixtures, 'createMessage', { id: filed.id, body: { body: 'MarkerBody' } })
  await invokeOk(fixtures, 'listPatients', { query: { external_id: 'MarkerExternal' } })
  await invoke(fixtures, 'updatePatient', { id, body: { MarkerField: 'MarkerValue' } })
  await invoke(fixtures, 'createPatient', { body: { ...rivera, ...marked }, key: 'MarkerKey' })
  await invoke(fixtures, 'createPatient', {
    body: { ...rivera, email: 'MarkerMail' },
    key: 'MarkerKey',
  })
  await invoke(fixtures, 'getPatient', { id: 'marker@example.com' })
  await invoke(fixtures, 'deletePatient', { id: 'MarkerPath' })
  await invoke(fixtures, 'listPatients', { query: 'MarkerParameter=1' })
  await invoke(fixtures, 'listPatients', { organization: 'MarkerOrganization' })
  await invoke(fixtures, 'listPatients', { as: 'svc_sk_test_MarkerToken' })
  await invoke(fixtures, 'getPatient', { as: null, id: 'MarkerAnonymous' })
  await fixtures.context.auditWriter.flush()
  const rows = await queryAsOwner<{ row: string }>(
    fixtures,
    sql`select e::text as row from audit.entries e`,
  )
  expect(rows.length).toBeGreaterThan(50)
  for (const { row } of rows) {
    expect(row).not.toMatch(/marker|9995550142|svc_sk/i)
    for (const key of [fixtures.ada.test, fixtures.ada.live])
      expect(row).not.toContain(key.slice(12))
  }
})

test('audit: sixty concurrent calls write sixty rows', async () => {
  const count = async () =>
    (
      await queryAsOwner<{ count: number }>(
        fixtures,
        sql`select count(*)::int as count from audit.entries`,
      )
    )[0]?.count ?? 0
  await fixtures.context.auditWriter.flush()
  const before = await count()
  const made: Promise<unknown>[] = []
  for (let at = 0; at < 60; at++) {
    const options: CallOptions[] = [
      { body: rivera, key: `count-${at % 7}` },
      { body: at % 2 ? rivera : { ...rivera, email: 'x' } },
      { as: at % 3 ? fixtures.ben.test : null, body: rivera, address: '203.0.113.10' },
    ]
    made.push(invoke(fixtures, 'createPatient', options[at % 3] ?? {}))
  }
  await Promise.all(made)
  await fixtures.context.auditWriter.flush()
  expect(await count()).toBe(before + 60)
})
