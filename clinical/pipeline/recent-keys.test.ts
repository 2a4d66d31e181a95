import { expect, test } from 'bun:test'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { Problem } from '#contract/problems.ts'
import { fingerprintOf, keyOf, RecentKeys } from './idempotency.ts'

const fixtures = useFixtures()

test('recent keys: keys are separate by tenant, and the oldest is dropped first', () => {
  const recent = new RecentKeys(2)
  recent.add('1', 'a')
  recent.add('1', 'b')
  expect([recent.has('1', 'a'), recent.has('1', 'b'), recent.has('2', 'a')]).toEqual([
    true,
    true,
    false,
  ])
  recent.add('2', 'a')
  expect([recent.has('1', 'a'), recent.has('1', 'b'), recent.has('2', 'a')]).toEqual([
    false,
    true,
    true,
  ])
})

test('recent keys: ten thousand are kept', () => {
  const recent = new RecentKeys()
  for (let at = 0; at < 10_000; at++) recent.add('1', `key-${at}`)
  expect(recent.has('1', 'key-0')).toBe(true)
  recent.add('1', 'another')
  expect([recent.has('1', 'key-0'), recent.has('1', 'key-1')]).toEqual([false, true])
})

test('a refused Idempotency-Key is reported as missing, or with the required format', () => {
  const detailOf = (header: string | null) => {
    try {
      return keyOf(header)
    } catch (failure) {
      return failure instanceof Problem ? failure.content.detail : failure
    }
  }
  const missing = 'The Idempotency-Key header is missing.'
  const must =
    'The Idempotency-Key header must be 1 to 255 printable ASCII characters without spaces.'
  expect(detailOf(null)).toBe(missing)
  for (const wrong of ['', '""', 'a b', 'k'.repeat(256), 'é']) {
    expect([wrong, detailOf(wrong)]).toEqual([wrong, must])
  }
  expect(['k'.repeat(255), '"k"', '"'].map(detailOf)).toEqual(['k'.repeat(255), 'k', '"'])
})

test('recent keys: a repeated call takes one statement, which selects its record', async () => {
  const options = { body: rivera, key: 'recent-1' }
  const first = await invokeOk(fixtures, 'createPatient', options)
  const before = fixtures.context.pools.test.roundTrips()
  const again = await invoke(fixtures, 'createPatient', options)
  expect(fixtures.context.pools.test.roundTrips() - before).toBe(1)
  expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } })
  expect(JSON.parse(again.text)).toEqual(first)
  const other = await invoke(fixtures, 'createPatient', {
    body: { ...rivera, first_name: 'Bo' },
    key: 'recent-1',
  })
  expect(other.status).toBe(422)
})

test('recent keys: a replay at a gateway that hasn’t seen the key wakes no worker', async () => {
  const body = { url: 'https://example.com/hooks', event_types: ['patient.created.v1'] }
  await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  const woken: string[] = []
  const wakeUp = { notify: (tenant: string) => void woken.push(tenant), close: async () => {} }
  const there = () => ({
    ...fixtures,
    context: {
      ...fixtures.context,
      recent: new RecentKeys(),
      wakeUps: { test: wakeUp, live: wakeUp },
    },
  })
  const options = { body: rivera, key: 'at-two-gateways' }
  const replayed = async () =>
    (await invoke(there(), 'createPatient', options)).headers['idempotent-replayed']
  expect([await replayed(), woken.length]).toEqual([undefined, 1])
  expect([await replayed(), woken.length]).toEqual(['true', 1])
})

test('two bodies have one fingerprint only if they are equal', () => {
  const hex = (body: unknown, query = '') =>
    fingerprintOf('POST', '/v1/cases', new URLSearchParams(query), body).toHex()
  const different = [
    { a: 12 },
    { a: [12] },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: [[1], 2] },
    { a: [[1, 2]] },
    { a: '12' },
    { a: '1,2' },
    { a: null },
    { a: [] },
    { a: {} },
    { a: { b: 1, c: 2 } },
    { a: { b: 1 }, c: 2 },
    { a: true },
    {},
    [],
  ]
  expect(new Set(different.map(one => hex(one))).size).toBe(different.length)
  expect(hex({ a: { c: [1, { e: 1, d: 2 }], b: 1 } })).toBe(
    hex({ a: { b: 1, c: [1, { d: 2, e: 1 }] } }),
  )
  expect([hex(undefined), hex(null)]).toEqual([hex({}), hex({})])
  expect(hex({}, 'a=1&b=2')).toBe(hex({}, 'b=2&a=1'))
  expect(hex({}, 'a=1&b=2')).not.toBe(hex({}, 'a=2&b=1'))
})

test('a stored key’s fingerprint is the same in every release', () => {
  const body = { b: [1, 'two'], a: { d: null, c: true } }
  const query = new URLSearchParams('z=1&y=2')
  expect(fingerprintOf('POST', '/v1/cases', query, body).toHex()).toBe(
    new Bun.CryptoHasher('sha256')
      .update('POST\n/v1/cases\ny=2&z=1\n{"a":{"c":true,"d":null},"b":[1,"two"]}')
      .digest('hex'),
  )
})
