import { expect, test } from 'bun:test'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { RecentKeys } from './idempotency.ts'

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
