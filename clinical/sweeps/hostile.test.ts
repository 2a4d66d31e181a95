// Attacks by a caller who knows the API well.

import { afterEach, expect, test } from 'bun:test'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, invoke, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { faultsOf, expectRefusal } from '../testing/sweep.ts'
import { queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

test('a rotated key works until its grace period ends, and not after', async () => {
  const { integration } = fixtures.ada
  const [before, after] = [
    await fixtures.key({ integration, mode: 'test', name: 'before' }),
    await fixtures.key({ integration, mode: 'test', name: 'after' }),
  ]
  const left = async (interval: string) => {
    // The time is truncated, because the column would round it up to a time after the calls.
    await queryAsOwner(
      fixtures,
      sql`update auth.credentials set expires_at = date_trunc('milliseconds', now()) + ${interval}::interval
           where name = 'before'`,
    )
    const both = await Promise.all([before, after].map(as => invoke(fixtures, 'listCases', { as })))
    return both.map(({ status, code }) => code ?? status)
  }
  expect(await left('1 hour')).toEqual([200, 200])
  expect(await left('59 seconds')).toEqual([200, 200])
  expect(await left('0')).toEqual(['unauthorized', 200])
  expect(await left('-1 millisecond')).toEqual(['unauthorized', 200])
})

test('no request body sets a field the server owns, or pollutes a prototype', async () => {
  const ours = JSON.parse(
    '{"id":"x","status":"x","mode":"live","created_at":"x","organization":"x","__proto__":{"a":1}}',
  ) as Record<string, unknown>
  const writes: readonly CallableId[] = callableIds.filter(id => isWrite(callable[id]))
  for (const id of writes) {
    const options = await validCalls[id](fixtures, fixtures.ada.test)
    const own = Object.keys(
      shapeOf(callable[id].body === 'none' ? {} : (callable[id].body ?? {})).properties ?? {},
    )
    const added = Object.entries(ours).filter(([name]) => !own.includes(name))
    const body = Object.assign(Object.create(null), options.body)
    for (const [name, value] of added) body[name] = value
    const faults = faultsOf(
      await expectRefusal(fixtures, id, 'invalid_request', { ...options, body }),
    )
    expect([id, faults]).toEqual([id, added.map(([name]) => [`#/${name}`, 'unknown_field'])])
  }
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>)['a']).toBeUndefined()
})

test('createCase refuses 100,000 answers with a single fault', async () => {
  const answers = Array.from({ length: 100_000 }, () => ({ question: 'q', answer: 'a' }))
  const body = caseBody(await consentedPatient(fixtures), { answers })
  const refused = await expectRefusal(fixtures, 'createCase', 'invalid_request', { body })
  expect(faultsOf(refused)).toEqual([['#/answers', 'too_many']])
})

test('external_id is matched literally, whatever it means in SQL or in a pattern', async () => {
  const hostile = ["' or '1'='1", '%', '_', '.*', '\\', '$1', '"; --', '{}', '(?i)a', 'NULL', '*']
  const made = new Map<string, string>()
  for (const external_id of hostile) {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: { ...rivera, external_id } })
    made.set(external_id, id)
  }
  for (const [external_id, id] of made) {
    const { data } = await invokeOk(fixtures, 'listPatients', { query: { external_id } })
    expect(data.map((one: { id: string }) => one.id)).toEqual([id])
  }
})

test('error messages for common parameter mistakes explain the fix', async () => {
  const errorsOf = async (operation: 'listEvents' | 'listSlots', query: string) =>
    (await invoke(fixtures, operation, { query })).body
  const plus = await errorsOf('listEvents', 'since=2026-11-20T16:04:05+01:00')
  expect(plus.errors[0].message).toEndWith('In a URL, write + as %2B.')
  const day = await errorsOf('listEvents', 'since=yesterday noon')
  expect(day.errors[0].message).toEndWith('such as 2026-11-20T15:04:05Z.')
  const type = await errorsOf('listEvents', 'type=case.approved')
  expect(type.errors[0].message).toEndWith('values in the API reference, such as case.approved.v1.')
  const state = await errorsOf('listSlots', 'state=California')
  expect(state.errors[0].message).toEndWith('such as CA.')
})
