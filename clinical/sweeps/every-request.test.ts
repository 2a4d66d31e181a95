// What every operation refuses of a request by an allowed caller: ids, bodies, parameters and
// headers. Each request but its one fault is valid, so nothing else can be the reason.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import { ask, type Asked, namesOf } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { shapeOf } from '../pipeline/validate.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { faultsOf, inLive, ofOneTenant, refusal, refusals, withId } from '../testing/sweep.ts'
import { unknownId } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

const writes = operationIds.filter(id => isWrite(table[id]))
const mine = (id: OperationId) => validCalls[id](fixtures, fixtures.ada.test)

/** Refused for its values alone; which of them, and why. */
const expectFaults = async (id: OperationId, asked: Asked) =>
  faultsOf(await refusal(fixtures, id, 'invalid_request', asked))

/** The same request with another value at one place of its path. */
const withName = (id: OperationId, asked: Asked, name: string, value: string): Asked =>
  name === pathNames(table[id].path)[0]
    ? { ...asked, id: value }
    : { ...asked, names: { ...asked.names, [name]: value } }

describe('404: an id in the path', () => {
  test('every operation with an id is swept but the one of the shared catalog', () => {
    expect(withId.filter(id => !ofOneTenant.includes(id))).toEqual(['getMedication'])
  })

  const named = withId.flatMap(id => pathNames(table[id].path).map(name => ({ id, name })))
  for (const { id, name } of named) {
    test(`${id} of an ${name} that cannot exist, or is of another kind`, async () => {
      const asked = await mine(id)
      const real = namesOf(table[id].path, asked)[name] ?? ''
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
      await refusals(
        fixtures,
        id,
        'not_found',
        all.map(wrong => withName(id, asked, name, wrong)),
      )
    })
  }

  for (const { id, name } of named.filter(one => ofOneTenant.includes(one.id))) {
    test(`${id} of another tenant's ${name}, just as of one that never was`, async () => {
      const theirs =
        namesOf(table[id].path, await validCalls[id](fixtures, fixtures.ben.test))[name] ?? ''
      const asked = await mine(id)
      const never = unknownId(theirs.split('_')[0] ?? '')
      const hidden = await refusal(fixtures, id, 'not_found', withName(id, asked, name, theirs))
      const absent = await refusal(fixtures, id, 'not_found', withName(id, asked, name, never))
      expect(hidden).toEqual(absent)
      expect(JSON.stringify(hidden.body)).not.toContain(theirs)
    })
  }

  for (const id of ofOneTenant.filter(one => inLive.includes(one))) {
    test(`${id} of test mode, with a live key, just as of one that never was`, async () => {
      const asked = { ...(await mine(id)), as: fixtures.ada.live }
      const never = unknownId(asked.id?.split('_')[0] ?? '')
      const hidden = await refusal(fixtures, id, 'not_found', asked)
      expect(hidden).toEqual(await refusal(fixtures, id, 'not_found', { ...asked, id: never }))
    })
  }
})

describe('400: a body', () => {
  for (const id of writes) {
    test(`${id} with a member it does not have`, async () => {
      const asked = await mine(id)
      const given = typeof asked.body === 'object' ? asked.body : {}
      const body = { ...given, another: true, 'a/b~c': null }
      expect(await expectFaults(id, { ...asked, body })).toEqual([
        ['#/another', 'unknown_field'],
        ['#/a~1b~0c', 'unknown_field'],
      ])
    })

    test(`${id} that is no object`, async () => {
      const asked = await mine(id)
      const all = [[], 'a text', 7, true].map(body => ({ ...asked, body }))
      for (const one of await refusals(fixtures, id, 'invalid_request', all)) {
        expect(faultsOf(one)).toEqual([['#', 'wrong_type']])
      }
    })
  }

  for (const id of writes.filter(one => table[one].body === 'none')) {
    test(`${id} takes none, and {} as none`, async () => {
      expect((await ask(fixtures, id, { ...(await mine(id)), body: {} })).status).toBe(
        table[id].status,
      )
    })
  }
})

describe('400: an id in a body', () => {
  type Named = { id: OperationId; member: string; theirs: unknown }
  const isOne = (value: unknown) =>
    typeof value === 'string' && Object.values(prefixes).some(prefix => isId(prefix, value))
  const isIds = (value: unknown) => isOne(value) || (Array.isArray(value) && value.every(isOne))

  test("another tenant's is as unknown as one that never was", async () => {
    const named: Named[] = []
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
    ])
    for (const { id, member, theirs } of named) {
      const asked = await mine(id)
      const naming = (value: unknown) => ({
        ...asked,
        body: { ...(asked.body as object), [member]: value },
      })
      const prefix = String(theirs).split('_')[0] ?? ''
      const never = Array.isArray(theirs) ? [unknownId(prefix)] : unknownId(prefix)
      const known = Array.isArray(theirs) ? theirs.slice(0, 1) : theirs
      const hidden = await refusal(fixtures, id, 'invalid_request', naming(known))
      const code = id === 'confirmFile' ? 'mismatch' : 'unknown_reference'
      expect(faultsOf(hidden).map(([, found]) => found)).toEqual([code])
      expect(hidden).toEqual(await refusal(fixtures, id, 'invalid_request', naming(never)))
    }
  })
})

describe('400: a parameter', () => {
  for (const id of operationIds) {
    test(`${id} with one that it does not have`, async () => {
      const asked = await mine(id)
      const names = ['another', 'Limit', '__proto__', 'constructor', 'limit%5B%5D']
      const own = typeof asked.query === 'string' ? `${asked.query}&` : ''
      const all = names.map(name => ({ ...asked, query: `${own}${name}=1` }))
      const replies = await refusals(fixtures, id, 'invalid_request', all)
      expect(replies.map(faultsOf)).toEqual(names.map(name => [[`?${name}`, 'unknown_field']]))
    })
  }

  for (const id of operationIds) {
    for (const name of Object.keys(shapeOf(table[id].query ?? {}).properties ?? {})) {
      test(`${id} with ${name} twice, even if it is the same`, async () => {
        const query = `${name}=5&${name}=5`
        const faults = await expectFaults(id, { ...(await mine(id)), query })
        expect(faults).toContainEqual([`?${name}`, 'not_unique'])
      })
    }
  }
})

describe('400: headers', () => {
  const bad = [null, '', '""', 'x'.repeat(256), 'ключ', 'a b', 'a\tb', 'a\nb', 'a\0', '\u007f', 'é']
  for (const id of writes) {
    test(`${id} without an Idempotency-Key that is one, before its body is read`, async () => {
      const asked = await mine(id)
      const bodies = [asked.body, { another: true }]
      const all = bad.flatMap(key => bodies.map(body => ({ ...asked, key, body })))
      await refusals(fixtures, id, 'idempotency_key_required', all)
    })

    test(`${id} takes a key of 255 characters`, async () => {
      const asked = { ...(await mine(id)), key: `${id}~`.padEnd(255, '!') }
      expect((await ask(fixtures, id, asked)).status).toBe(table[id].status)
    })
  }

  for (const id of operationIds) {
    test(`${id} in a version that there never was`, async () => {
      const asked = await mine(id)
      const versions = ['2026-11-19', '2026-11-20 ', 'latest', '', '\0']
      const all = versions.map(version => ({ ...asked, version }))
      for (const one of await refusals(fixtures, id, 'invalid_request', all)) {
        expect(faultsOf(one)).toEqual([['API-Version:', 'not_in_enum']])
      }
    })
  }
})

describe('what is said first', () => {
  for (const id of withId) {
    test(`${id} tells of a faulty value before an id that is not there`, async () => {
      const asked = { ...(await mine(id)), id: 'nope', query: 'another=1' }
      expect(await expectFaults(id, asked)).toEqual([['?another', 'unknown_field']])
    })
  }

  for (const id of writes) {
    test(`${id} names every fault at once: the version, then parameters, then members`, async () => {
      const asked = await mine(id)
      const body = { ...(typeof asked.body === 'object' ? asked.body : {}), another: 1 }
      const faults = await expectFaults(id, { ...asked, version: 'x', query: 'another=1', body })
      expect(faults.map(([pointer]) => pointer)).toEqual(['API-Version:', '?another', '#/another'])
    })
  }
})
