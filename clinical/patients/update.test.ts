import { beforeEach, describe, expect, test } from 'bun:test'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { tableContents, expectFaults, expectRefused, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
beforeEach(async () => {
  id = (await invokeOk(fixtures, 'createPatient', { body: { ...rivera, middle_name: 'Lou' } })).id
})

describe('updatePatient 200', () => {
  test('changes the sent fields, keeps the others and writes one event', async () => {
    const before = await invokeOk(fixtures, 'getPatient', { id })
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'updatePatient', { id, body: { last_name: 'Vega', phone: '+14155550199' } }),
    )
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      JSON.stringify({
        ...before,
        last_name: 'Vega',
        phone: '+14155550199',
        updated_at: answer.body.updated_at,
      }),
    )
    expect(answer.body.updated_at > before.updated_at).toBe(true)
    expect(answer.headers['location']).toBeUndefined()
    expect(lines).toEqual([`patient.updated.v1 active → active ${id}`])
    expect((await invoke(fixtures, 'getPatient', { id })).text).toBe(answer.text)
  })

  test('every field can be changed', async () => {
    const body = {
      first_name: 'Bea',
      middle_name: 'Mae',
      last_name: 'Soto',
      date_of_birth: '1990-12-31',
      sex_at_birth: 'unknown',
      email: 'bea@example.com',
      phone: '+14155550100',
      address: { line1: '1 Main', city: 'Reno', state: 'NV', postal_code: '89501' },
      external_id: 'other',
    }
    expect(await invokeOk(fixtures, 'updatePatient', { id, body })).toMatchObject(body)
  })

  test('null clears middle_name and external_id', async () => {
    const body = { middle_name: null, external_id: null }
    const patient = await invokeOk(fixtures, 'updatePatient', { id, body })
    expect([patient.middle_name, patient.external_id]).toEqual([null, null])
  })

  test('an address is replaced as a whole: omitted fields are removed', async () => {
    const address = { line1: '1 Main', city: 'Reno', state: 'NV', postal_code: '89501' }
    const patient = await invokeOk(fixtures, 'updatePatient', { id, body: { address } })
    expect(JSON.stringify(patient.address)).toBe(
      JSON.stringify({
        line1: '1 Main',
        line2: null,
        city: 'Reno',
        state: 'NV',
        postal_code: '89501',
        country: 'US',
      }),
    )
  })

  test.each<[string, object | undefined]>([
    ['an empty object', {}],
    ['no body', undefined],
    ['every current value', { ...rivera, middle_name: 'Lou' }],
    ['the current address in another order', { address: { country: 'US', ...rivera.address } }],
  ])('%s changes nothing and writes no event', async (_, body) => {
    const before = await invoke(fixtures, 'getPatient', { id })
    const rows = await tableContents(fixtures)
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'updatePatient', { id, body }),
    )
    expect([answer.status, answer.text]).toEqual([200, before.text])
    expect(lines).toEqual([])
    const { 'test.idempotency_keys': spent, ...after } = await tableContents(fixtures)
    const { 'test.idempotency_keys': unspent, ...others } = rows
    expect(after).toEqual(others)
    expect(spent).not.toBe(unspent)
  })

  test('a change and its reversal are two events', async () => {
    const { lines } = await eventsOf(fixtures, async () => {
      await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: 'Bea' } })
      await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: 'Ada' } })
    })
    expect(lines).toHaveLength(2)
  })

  test('concurrent updates to different fields are all applied', async () => {
    const fields = ['first_name', 'middle_name', 'last_name', 'external_id'] as const
    const { lines } = await eventsOf(fixtures, () =>
      Promise.all(
        fields.map(field => invokeOk(fixtures, 'updatePatient', { id, body: { [field]: 'new' } })),
      ),
    )
    expect(lines).toHaveLength(fields.length)
    const patient = await invokeOk(fixtures, 'getPatient', { id })
    expect(fields.map(field => patient[field])).toEqual(fields.map(() => 'new'))
  })
})

describe('updatePatient 400', () => {
  test.each<[string, string, object]>([
    ['#/first_name', 'wrong_type', { first_name: null }],
    ['#/address', 'wrong_type', { address: null }],
    ['#/external_id', 'too_short', { external_id: '' }],
    [
      '#/address/line1',
      'required',
      { address: { city: 'Reno', state: 'NV', postal_code: '89501' } },
    ],
    ['#/date_of_birth', 'too_large', { date_of_birth: '2999-01-01' }],
    ['#/email', 'invalid_format', { email: 'ada@' }],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'updatePatient', { id, body })).toEqual([[pointer, code]])
  })

  test('one invalid field prevents the whole update', async () => {
    const body = { first_name: 'Bea', phone: '1' }
    expect(await expectFaults(fixtures, 'updatePatient', { id, body })).toEqual([
      ['#/phone', 'invalid_format'],
    ])
  })
})

describe('updatePatient 404', () => {
  test("another integration's patient, even with an empty body", async () => {
    for (const body of [{ first_name: 'Bea' }, {}]) {
      await expectRefused(fixtures, 'updatePatient', 'not_found', {
        id,
        as: fixtures.ben.test,
        body,
      })
      await expectRefused(fixtures, 'updatePatient', 'not_found', {
        id,
        as: fixtures.ada.live,
        body,
      })
    }
  })

  test('a deleted patient', async () => {
    await invokeOk(fixtures, 'deletePatient', { id })
    await expectRefused(fixtures, 'updatePatient', 'not_found', { id, body: { first_name: 'Bea' } })
    await expectRefused(fixtures, 'updatePatient', 'not_found', { id, body: {} })
  })
})
