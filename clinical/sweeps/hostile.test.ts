// What a caller may try who knows the contract well (contract/18, tests 10, 17, 31 and 35).

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, ask, caseBody, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { faultsOf, refusal } from '../testing/sweep.ts'
import { queryAsOwner } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

test('a key that is rotated with an hour of grace works to its last moment, and not after', async () => {
  const { integration } = fixtures.ada
  const [before, after] = [
    await fixtures.key({ integration, mode: 'test', name: 'before' }),
    await fixtures.key({ integration, mode: 'test', name: 'after' }),
  ]
  const left = async (interval: string) => {
    await queryAsOwner(
      fixtures,
      sql`update auth.keys set expires_at = now() + ${interval}::interval where name = 'before'`,
    )
    const both = await Promise.all([before, after].map(as => ask(fixtures, 'listCases', { as })))
    return both.map(({ status, code }) => code ?? status)
  }
  expect(await left('1 hour')).toEqual([200, 200])
  expect(await left('59 seconds')).toEqual([200, 200])
  expect(await left('0')).toEqual(['unauthorized', 200])
  expect(await left('-1 millisecond')).toEqual(['unauthorized', 200])
})

test('no body sets what is ours to say, nor reaches a prototype', async () => {
  const ours = JSON.parse(
    '{"id":"x","status":"x","mode":"live","created_at":"x","organization":"x","__proto__":{"a":1}}',
  ) as Record<string, unknown>
  const writes: readonly OperationId[] = operationIds.filter(id => isWrite(table[id]))
  for (const id of writes) {
    const asked = await validCalls[id](fixtures, fixtures.ada.test)
    const own = Object.keys(
      shapeOf(table[id].body === 'none' ? {} : (table[id].body ?? {})).properties ?? {},
    )
    const added = Object.entries(ours).filter(([name]) => !own.includes(name))
    const body = Object.assign(Object.create(null), asked.body)
    for (const [name, value] of added) body[name] = value
    const faults = faultsOf(await refusal(fixtures, id, 'invalid_request', { ...asked, body }))
    expect([id, faults]).toEqual([id, added.map(([name]) => [`#/${name}`, 'unknown_field'])])
  }
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>)['a']).toBeUndefined()
})

test('a hundred thousand answers are too many, and are said to be so in one fault', async () => {
  const answers = Array.from({ length: 100_000 }, () => ({ question: 'q', answer: 'a' }))
  const body = caseBody(await consentedPatient(fixtures), { answers })
  const refused = await refusal(fixtures, 'createCase', 'invalid_request', { body })
  expect(faultsOf(refused)).toEqual([['#/answers', 'too_many']])
})

test('external_id is found as it was written, whatever it means to SQL or to a pattern', async () => {
  const hostile = ["' or '1'='1", '%', '_', '.*', '\\', '$1', '"; --', '{}', '(?i)a', 'NULL', '*']
  const made = new Map<string, string>()
  for (const external_id of hostile) {
    const { id } = await must(fixtures, 'createPatient', { body: { ...rivera, external_id } })
    made.set(external_id, id)
  }
  for (const [external_id, id] of made) {
    const { data } = await must(fixtures, 'listPatients', { query: { external_id } })
    expect(data.map((one: { id: string }) => one.id)).toEqual([id])
  }
})

test('a fault that is easily made names its cure', async () => {
  const errorsOf = async (operation: 'listEvents' | 'listSlots', query: string) =>
    (await ask(fixtures, operation, { query })).body
  const plus = await errorsOf('listEvents', 'since=2026-11-20T16:04:05+01:00')
  expect(plus.errors[0].message).toEndWith('In an address, + is written %2B.')
  // A read has no key that could be used again.
  expect(plus.hint).toBe('Fix each entry of errors and send the request again.')
  const day = await errorsOf('listEvents', 'since=yesterday noon')
  expect(day.errors[0].message).toEndWith('with its offset.')
  const type = await errorsOf('listEvents', 'type=case.approved')
  expect(type.errors[0].message).toEndWith('values in the contract, such as case.approved.v1.')
  const state = await errorsOf('listSlots', 'state=California')
  expect(state.errors[0].message).toEndWith('such as CA.')
})
