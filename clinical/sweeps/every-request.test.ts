// Every operation refuses invalid IDs, bodies, parameters and headers in an authorized caller's
// request. Each request has one fault and is otherwise valid, so nothing else can be the reason.

import { afterEach, describe, expect, test } from 'bun:test'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import { invoke, type CallOptions, pathValuesOf } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { validCalls } from '../testing/valid-calls.ts'
import {
  faultsOf,
  liveOperations,
  tenantOperations,
  expectRefusal,
  expectRefusals,
  operationsWithId,
} from '../testing/sweep.ts'
import { unknownId } from '../testing/assertions.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const writes = callableIds.filter(id => isWrite(callable[id]))
const calls = new Map<CallableId, CallOptions>()

/** One call serves all of an operation's tests, because a refused request changes nothing. */
async function validCallOf(id: CallableId): Promise<CallOptions> {
  const call = calls.get(id) ?? (await validCalls[id](fixtures, fixtures.ada.test))
  calls.set(id, call)
  return call
}

/** Makes a valid call, after which the other calls may no longer be valid. */
async function succeed(id: CallableId, change: CallOptions): Promise<void> {
  calls.clear()
  const options = await validCalls[id](fixtures, fixtures.ada.test)
  expect((await invoke(fixtures, id, { ...options, ...change })).status).toBe(callable[id].status)
}

/** Two of the values, in turn: one parser reads them for every operation. */
const twoOf = <T>(values: readonly T[], at: number): T[] =>
  [2 * at, 2 * at + 1].map(one => values[one % values.length] as T)

/** Expects `invalid_request`; returns each fault's pointer and code. */
const expectFaults = async (id: CallableId, options: CallOptions) =>
  faultsOf(await expectRefusal(fixtures, id, 'invalid_request', options))

/** Returns the same request with another value for one path parameter. */
const withName = (id: CallableId, options: CallOptions, name: string, value: string): CallOptions =>
  name === pathNames(callable[id].path)[0]
    ? { ...options, id: value }
    : { ...options, names: { ...options.names, [name]: value } }

describe('404: an ID in the path', () => {
  test('every operation with an ID in its path is covered, except getMedication', () => {
    expect(operationsWithId.filter(id => !tenantOperations.includes(id))).toEqual(['getMedication'])
  })

  const named = operationsWithId.flatMap(id =>
    pathNames(callable[id].path).map(name => ({ id, name })),
  )
  for (const { id, name } of named) {
    test(`${id} doesn't find a malformed ${name}, or one of another kind`, async () => {
      const options = await validCallOf(id)
      const real = pathValuesOf(callable[id].path, options)[name] ?? ''
      const kind = Object.values(prefixes).find(prefix => isId(prefix, real))
      const other = Object.values(prefixes).find(prefix => prefix !== kind)
      const never = [
        '',
        'nope',
        '\0',
        '%00',
        `${kind}_`,
        real.toUpperCase(),
        `${real}0`,
        ` ${real}`,
      ]
      const almost = [`${real}\n`, real.replace('_', '-'), real.slice(0, -1), `${real}/`]
      const elsewhere = [real.replace(`${kind}_`, `${other}_`), real.replace(/_./, '_8')]
      const all = [...never, ...almost, ...elsewhere, 'a'.repeat(9000), "' or 1=1 --"]
      await expectRefusals(
        fixtures,
        id,
        'not_found',
        all.map(wrong => withName(id, options, name, wrong)),
      )
    })
  }

  for (const { id, name } of named.filter(one => tenantOperations.includes(one.id))) {
    test(`${id} responds to another tenant's ${name} as to an unknown one`, async () => {
      const theirs =
        pathValuesOf(callable[id].path, await validCalls[id](fixtures, fixtures.ben.test))[name] ??
        ''
      const options = await validCallOf(id)
      const never = unknownId(theirs.split('_')[0] ?? '')
      const hidden = await expectRefusal(
        fixtures,
        id,
        'not_found',
        withName(id, options, name, theirs),
      )
      const absent = await expectRefusal(
        fixtures,
        id,
        'not_found',
        withName(id, options, name, never),
      )
      expect(hidden).toEqual(absent)
      expect(JSON.stringify(hidden.body)).not.toContain(theirs)
    })
  }

  for (const id of tenantOperations.filter(one => liveOperations.includes(one))) {
    test(`${id} responds to a test mode ID with a live key as to an unknown one`, async () => {
      const options = { ...(await validCallOf(id)), as: fixtures.ada.live }
      const never = unknownId(options.id?.split('_')[0] ?? '')
      const hidden = await expectRefusal(fixtures, id, 'not_found', options)
      expect(hidden).toEqual(
        await expectRefusal(fixtures, id, 'not_found', { ...options, id: never }),
      )
    })
  }
})

describe('400: a body', () => {
  for (const id of writes) {
    test(`${id} refuses an unknown field in the body`, async () => {
      const options = await validCallOf(id)
      const given = typeof options.body === 'object' ? options.body : {}
      const body = { ...given, another: true, 'a/b~c': null }
      expect(await expectFaults(id, { ...options, body })).toEqual([
        ['#/another', 'unknown_field'],
        ['#/a~1b~0c', 'unknown_field'],
      ])
    })

    test(`${id} refuses a body that isn't an object`, async () => {
      const options = await validCallOf(id)
      const all = [[], 'a text', 7, true].map(body => ({ ...options, body }))
      for (const one of await expectRefusals(fixtures, id, 'invalid_request', all)) {
        expect(faultsOf(one)).toEqual([['#', 'wrong_type']])
      }
    })
  }

  for (const id of writes.filter(one => callable[one].body === 'none')) {
    test(`${id} accepts {} as an empty body`, () => succeed(id, { body: {} }))
  }
})

describe('400: an ID in a body', () => {
  type ForeignId = { id: CallableId; member: string; theirs: unknown }
  const isOne = (value: unknown) =>
    typeof value === 'string' && Object.values(prefixes).some(prefix => isId(prefix, value))
  const isIds = (value: unknown) => isOne(value) || (Array.isArray(value) && value.every(isOne))

  test("another tenant's ID in a body is refused with the response for an unknown ID", async () => {
    const named: ForeignId[] = []
    for (const id of writes) {
      const body = (await validCalls[id](fixtures, fixtures.ben.test)).body ?? {}
      const ids = Object.entries(body).filter(([, value]) => isIds(value))
      named.push(...ids.map(([member, theirs]) => ({ id, member, theirs })))
    }
    expect(named.map(one => `${one.id} ${one.member}`)).toEqual([
      'createCase patient',
      'createCase consent_ids',
      'bookVisit patient',
      'createFile patient',
      'createFile case',
      'confirmFile patient',
      'redeliverEvent webhook_endpoint',
      'triggerWebhook webhook_endpoint',
      'replayEvents webhook_endpoint',
    ])
    for (const { id, member, theirs } of named) {
      const options = await validCallOf(id)
      const naming = (value: unknown) => ({
        ...options,
        body: { ...(options.body as object), [member]: value },
      })
      const prefix = String(theirs).split('_')[0] ?? ''
      const never = Array.isArray(theirs) ? [unknownId(prefix)] : unknownId(prefix)
      const known = Array.isArray(theirs) ? theirs.slice(0, 1) : theirs
      const hidden = await expectRefusal(fixtures, id, 'invalid_request', naming(known))
      const code = id === 'confirmFile' ? 'mismatch' : 'unknown_reference'
      expect(faultsOf(hidden).map(([, found]) => found)).toEqual([code])
      expect(hidden).toEqual(await expectRefusal(fixtures, id, 'invalid_request', naming(never)))
    }
  })
})

describe('400: a parameter', () => {
  const unknown = ['another', 'Limit', '__proto__', 'constructor', 'limit%5B%5D']
  for (const [at, id] of callableIds.entries()) {
    test(`${id} refuses an unknown query parameter`, async () => {
      const options = await validCallOf(id)
      const names = twoOf(unknown, at)
      const own = typeof options.query === 'string' ? `${options.query}&` : ''
      const all = names.map(name => ({ ...options, query: `${own}${name}=1` }))
      const results = await expectRefusals(fixtures, id, 'invalid_request', all)
      expect(results.map(faultsOf)).toEqual(names.map(name => [[`?${name}`, 'unknown_field']]))
    })
  }

  for (const id of callableIds) {
    for (const name of Object.keys(shapeOf(callable[id].query ?? {}).properties ?? {})) {
      test(`${id} refuses ${name} twice, even with the same value`, async () => {
        const query = `${name}=5&${name}=5`
        const faults = await expectFaults(id, { ...(await validCallOf(id)), query })
        expect(faults).toContainEqual([`?${name}`, 'not_unique'])
      })
    }
  }
})

describe('400: headers', () => {
  const bad = ['', '""', 'x'.repeat(256), 'ключ', 'a b', 'a\tb', 'a\nb', 'a\0', '\u007f', 'é']
  for (const [at, id] of writes.entries()) {
    test(`${id} refuses a missing or malformed Idempotency-Key before it validates the body`, async () => {
      const options = await validCallOf(id)
      const bodies = [options.body, { another: true }]
      const all = [null, ...twoOf(bad, at)].flatMap(key =>
        bodies.map(body => ({ ...options, key, body })),
      )
      await expectRefusals(fixtures, id, 'idempotency_key_required', all)
    })
  }

  const versions = ['2026-11-19', '2026-11-20 ', 'latest', '', '\0']
  for (const [at, id] of callableIds.entries()) {
    test(`${id} refuses an unknown API-Version`, async () => {
      const options = await validCallOf(id)
      const all = twoOf(versions, at).map(version => ({ ...options, version }))
      for (const one of await expectRefusals(fixtures, id, 'invalid_request', all)) {
        expect(faultsOf(one)).toEqual([['API-Version:', 'not_in_enum']])
      }
    })
  }
})

describe('order of checks', () => {
  for (const id of operationsWithId) {
    test(`${id} reports an invalid value before an unknown ID`, async () => {
      const options = { ...(await validCallOf(id)), id: 'nope', query: 'another=1' }
      expect(await expectFaults(id, options)).toEqual([['?another', 'unknown_field']])
    })
  }

  for (const id of writes) {
    test(`${id} reports all faults at once: the version, then parameters, then fields`, async () => {
      const options = await validCallOf(id)
      const body = { ...(typeof options.body === 'object' ? options.body : {}), another: 1 }
      const faults = await expectFaults(id, { ...options, version: 'x', query: 'another=1', body })
      expect(faults.map(([pointer]) => pointer)).toEqual(['API-Version:', '?another', '#/another'])
    })
  }
})
