// Idempotent writes: a refused write doesn't use up its key, and a successful write runs once.

import { describe, expect, test } from 'bun:test'
import { type CallableId } from '#contract/callable.ts'
import { sql } from '#database/sql.ts'
import {
  consentedPatient,
  invoke,
  type CallOptions,
  queuedCase,
  caseBody,
  invokeOk,
  rivera,
} from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  tableContents,
  expectFaults,
  unknownId,
  queryAsOwner,
  expectRefused,
  eventsOf,
} from '../testing/assertions.ts'

const fixtures = useFixtures()

let made = 0
const newKey = () => `once-${made++}`

/** Sends the call again: the response must have the same bytes, be marked as a replay and have no
 *  effect. */
async function expectReplay(operation: CallableId, options: CallOptions, first: { text: string }) {
  const before = await tableContents(fixtures)
  const again = await invoke(fixtures, operation, {
    ...options,
    request: 'req_00000000000000000000000002',
  })
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await tableContents(fixtures)).toEqual(before)
  return again
}

describe('idempotency: 400 without a valid key', () => {
  test('accepts 1 to 255 characters', async () => {
    for (const key of ['!', '~', 'k'.repeat(255), `"${'q'.repeat(255)}"`, '"']) {
      await invokeOk(fixtures, 'createPatient', { key, body: rivera })
    }
  })

  test('a missing key is refused after missing scopes and before an invalid body', async () => {
    await expectRefused(fixtures, 'createPatient', 'idempotency_key_required', {
      key: null,
      body: { x: 1 },
    })
    const scopes = ['patients:read'] as const
    const { integration } = fixtures.ada
    const as = await fixtures.key({ integration, mode: 'test', name: 'reader', scopes })
    await expectRefused(fixtures, 'createPatient', 'insufficient_scope', {
      as,
      key: null,
      body: rivera,
    })
  })
})

describe('idempotency: a replay', () => {
  test('returns the first body, Location and request ID, and writes nothing', async () => {
    const request = 'req_00000000000000000000000001'
    const options = { key: newKey(), body: caseBody(await consentedPatient(fixtures)), request }
    const first = await invoke(fixtures, 'createCase', options)
    expect(first.status).toBe(201)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const { lines } = await eventsOf(fixtures, () => expectReplay('createCase', options, first))
    expect(lines).toEqual([])
    const again = await expectReplay('createCase', options, first)
    expect([again.status, again.headers['location'], again.headers['original-request-id']]).toEqual(
      [201, `/v1/cases/${first.body.id}`, request],
    )
  })

  test('returns the first response, not the current state', async () => {
    const options = { key: newKey(), body: rivera }
    const first = await invoke(fixtures, 'createPatient', options)
    const { id } = first.body
    const patch = { id, key: newKey(), body: { first_name: 'Bea' } }
    const patched = await invoke(fixtures, 'updatePatient', patch)
    await expectReplay('createPatient', options, first)
    await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: 'Cleo' } })
    await expectReplay('updatePatient', patch, patched)
  })

  test('a replay of a delete or transition succeeds even if the current state would refuse it', async () => {
    const { id, patient } = await queuedCase(fixtures, undefined, { hold: true })
    const steps: [CallableId, string, object?][] = [
      ['releaseCase', id],
      ['createMessage', id, { body: 'Hello.' }],
      ['sendClinicianMessage', id, { body: 'Hello.' }],
      ['decideCase', id, { decision: 'needs_info', target: 'patient', question: 'q' }],
      ['answerCase', id, { answers: [{ answer: 'a' }] }],
      ['withdrawCase', id, { reason: 'r' }],
      ['recordConsent', patient, { kind: 'privacy', version: '2' }],
      ['deletePatient', patient],
    ]
    const done: [CallableId, CallOptions, { text: string }][] = []
    for (const [operation, of, body] of steps) {
      const options = { id: of, key: newKey(), body }
      done.push([operation, options, await invoke(fixtures, operation, options)])
    }
    for (const [operation, options, first] of done) await expectReplay(operation, options, first)
  })

  test('treats "abc" and abc as the same key', async () => {
    const key = newKey()
    const first = await invoke(fixtures, 'createPatient', { key: `"${key}"`, body: rivera })
    await expectReplay('createPatient', { key, body: rivera }, first)
  })

  test('ignores the order of fields', async () => {
    const key = newKey()
    const first = await invoke(fixtures, 'createPatient', { key, body: rivera })
    const reversed = (value: object): object =>
      Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, inner]) => [name, typeof inner === 'object' ? reversed(inner) : inner]),
      )
    await expectReplay('createPatient', { key, body: reversed(rivera) }, first)
  })

  test('treats an empty body and an empty object as equal', async () => {
    const { id } = await queuedCase(fixtures)
    const key = newKey()
    const first = await invoke(fixtures, 'cancelCase', { id, key })
    await expectReplay('cancelCase', { id, key, body: {} }, first)
  })
})

describe('idempotency: 422 if the key belongs to another request', () => {
  const changes: [string, object][] = [
    ['a changed value', { ...rivera, first_name: 'Bea' }],
    ['an added default', { ...rivera, middle_name: null }],
    ['a value of another type', { ...rivera, external_id: 8812 }],
    ['a missing member', { ...rivera, external_id: undefined }],
    ['a body that is not valid', { first_name: '' }],
  ]
  test.each(changes)('%s', async (_, body) => {
    const key = newKey()
    await invokeOk(fixtures, 'createPatient', { key, body: rivera })
    const sent = JSON.parse(JSON.stringify(body))
    await expectRefused(fixtures, 'createPatient', 'idempotency_key_reused', { key, body: sent })
  })

  test('another operation, another method, another ID, another parameter', async () => {
    const key = newKey()
    const { id } = await invokeOk(fixtures, 'createPatient', { key, body: rivera })
    await expectRefused(fixtures, 'createCase', 'idempotency_key_reused', { key, body: rivera })
    await expectRefused(fixtures, 'updatePatient', 'idempotency_key_reused', {
      id,
      key,
      body: rivera,
    })
    await expectRefused(fixtures, 'createPatient', 'idempotency_key_reused', {
      key,
      body: rivera,
      query: 'dry_run=true',
    })
    const nothing = newKey()
    await invokeOk(fixtures, 'updatePatient', { id, key: nothing, body: {} })
    await expectRefused(fixtures, 'deletePatient', 'idempotency_key_reused', {
      id,
      key: nothing,
      body: {},
    })
    const [one, other] = [await queuedCase(fixtures), await queuedCase(fixtures)]
    const cancel = newKey()
    await invokeOk(fixtures, 'cancelCase', { id: one.id, key: cancel })
    await expectRefused(fixtures, 'cancelCase', 'idempotency_key_reused', {
      id: other.id,
      key: cancel,
    })
    await expectRefused(fixtures, 'withdrawCase', 'idempotency_key_reused', {
      id: other.id,
      key: cancel,
    })
    for (const id of [unknownId('case'), 'case_nope']) {
      await expectRefused(fixtures, 'cancelCase', 'idempotency_key_reused', { id, key: cancel })
    }
  })
})

describe('idempotency: a refusal does not use up the key', () => {
  test('consent_required, then the request with the new consent', async () => {
    const agreed = await consentedPatient(fixtures)
    const body = { kind: 'privacy', version: '2' }
    const newer = { id: agreed.patient, body }
    const key = newKey()
    const consents = caseBody(agreed)
    const { id } = await invokeOk(fixtures, 'recordConsent', newer)
    await expectRefused(fixtures, 'createCase', 'consent_required', { key, body: consents })
    const fixed = caseBody({ ...agreed, privacy: id })
    expect((await invoke(fixtures, 'createCase', { key, body: fixed })).status).toBe(201)
  })

  test('400, 404 and 409, then a valid request with the same key', async () => {
    const key = newKey()
    await expectFaults(fixtures, 'createPatient', { key, body: { ...rivera, phone: '1' } })
    await expectRefused(fixtures, 'getPatient', 'not_found', { id: unknownId('pat'), key })
    await expectRefused(fixtures, 'deletePatient', 'not_found', { id: unknownId('pat'), key })
    const { id } = await queuedCase(fixtures)
    await expectRefused(fixtures, 'releaseCase', 'invalid_transition', { id, key })
    const first = await invoke(fixtures, 'createPatient', { key, body: rivera })
    expect(first.status).toBe(201)
    await expectReplay('createPatient', { key, body: rivera }, first)
  })
})

describe('idempotency: a record', () => {
  test('is replaced after it has expired', async () => {
    const options = { key: newKey(), body: rivera }
    const expire = () =>
      queryAsOwner(
        fixtures,
        sql`update test.idempotency_keys set expires_at = now() - interval '1 ms'
             where key = ${options.key}`,
      )
    const first = await invokeOk(fixtures, 'createPatient', options)
    await expire()
    const { answer: second, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'createPatient', options),
    )
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.id)
    expect(lines).toEqual([`patient.created.v1 null → active ${second.body.id}`])
    await expectReplay('createPatient', options, second)
    await expire()
    const other = { ...options, body: { ...rivera, first_name: 'Bea' } }
    expect((await invoke(fixtures, 'createPatient', other)).status).toBe(201)
  })

  test('is kept for seven days in test mode, and for the promised day in live mode', async () => {
    for (const [mode, days] of [
      ['test', 7],
      ['live', 1],
    ] as const) {
      const key = newKey()
      await invokeOk(fixtures, 'createPatient', { key, body: rivera, as: fixtures.ada[mode] })
      const kept = mode === 'test' ? sql`test.idempotency_keys` : sql`live.idempotency_keys`
      const [row] = await queryAsOwner<{ days: number }>(
        fixtures,
        sql`select extract(epoch from expires_at - created_at)::float8 / 86400 as days
              from ${kept} where key = ${key}`,
      )
      expect([mode, row?.days]).toEqual([mode, days])
    }
  })
})
