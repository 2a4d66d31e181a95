import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ask, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { contents, expectFaults, unknownId, refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
let id: string
beforeAll(async () => {
  fixtures = await openFixtures()
})
beforeEach(async () => {
  id = (await must(fixtures, 'createPatient', { body: { ...rivera, middle_name: 'Lou' } })).id
})
afterAll(() => fixtures.close())

describe('200', () => {
  test('changes what is named, keeps what is not, and says so once', async () => {
    const before = await must(fixtures, 'getPatient', { id })
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'updatePatient', { id, body: { last_name: 'Vega', phone: '+14155550199' } }),
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
    expect((await ask(fixtures, 'getPatient', { id })).text).toBe(answer.text)
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
    expect(await must(fixtures, 'updatePatient', { id, body })).toMatchObject(body)
  })

  test('null clears middle_name and external_id', async () => {
    const body = { middle_name: null, external_id: null }
    const patient = await must(fixtures, 'updatePatient', { id, body })
    expect([patient.middle_name, patient.external_id]).toEqual([null, null])
  })

  test('an address is replaced whole: what the new one leaves out is gone', async () => {
    const address = { line1: '1 Main', city: 'Reno', state: 'NV', postal_code: '89501' }
    const patient = await must(fixtures, 'updatePatient', { id, body: { address } })
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
    ['nothing', undefined],
    ['every present value', { ...rivera, middle_name: 'Lou' }],
    ['the present address in another order', { address: { country: 'US', ...rivera.address } }],
  ])('%s changes nothing and says nothing', async (_, body) => {
    const before = await ask(fixtures, 'getPatient', { id })
    const rows = await contents(fixtures)
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'updatePatient', { id, body }),
    )
    expect([answer.status, answer.text]).toEqual([200, before.text])
    expect(lines).toEqual([])
    const { 'test.idempotency_keys': spent, ...after } = await contents(fixtures)
    const { 'test.idempotency_keys': unspent, ...others } = rows
    expect(after).toEqual(others)
    expect(spent).not.toBe(unspent)
  })

  test('a change and its undoing are two changes', async () => {
    const { lines } = await told(fixtures, async () => {
      await must(fixtures, 'updatePatient', { id, body: { first_name: 'Bea' } })
      await must(fixtures, 'updatePatient', { id, body: { first_name: 'Ada' } })
    })
    expect(lines).toHaveLength(2)
  })

  test('patches of different fields at once are each kept', async () => {
    const fields = ['first_name', 'middle_name', 'last_name', 'external_id'] as const
    const { lines } = await told(fixtures, () =>
      Promise.all(
        fields.map(field => must(fixtures, 'updatePatient', { id, body: { [field]: 'new' } })),
      ),
    )
    expect(lines).toHaveLength(fields.length)
    const patient = await must(fixtures, 'getPatient', { id })
    expect(fields.map(field => patient[field])).toEqual(fields.map(() => 'new'))
  })
})

describe('400', () => {
  test.each<[string, string, object]>([
    ['#/first_name', 'wrong_type', { first_name: null }],
    ['#/address', 'wrong_type', { address: null }],
    ['#/external_id', 'too_short', { external_id: '' }],
    [
      '#/address/line1',
      'required',
      { address: { city: 'Reno', state: 'NV', postal_code: '89501' } },
    ],
    ['#/id', 'unknown_field', { id: 'pat_x' }],
    ['#/status', 'unknown_field', { status: 'deleted' }],
    ['#/created_at', 'unknown_field', { created_at: '2026-01-01' }],
    ['#/date_of_birth', 'too_large', { date_of_birth: '2999-01-01' }],
    ['#/email', 'invalid_format', { email: 'ada@' }],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'updatePatient', { id, body })).toEqual([[pointer, code]])
  })

  test('one bad field keeps the good ones from being written', async () => {
    const body = { first_name: 'Bea', phone: '1' }
    expect(await expectFaults(fixtures, 'updatePatient', { id, body })).toEqual([
      ['#/phone', 'invalid_format'],
    ])
  })
})

describe('404', () => {
  test('an id that names nothing, or could not', async () => {
    const body = { first_name: 'Bea' }
    for (const id of [unknownId('pat'), unknownId('case'), 'pat_nope', 'PAT_X']) {
      await refused(fixtures, 'updatePatient', 'not_found', { id, body })
    }
  })

  test("another integration's patient, whatever the patch", async () => {
    for (const body of [{ first_name: 'Bea' }, {}]) {
      await refused(fixtures, 'updatePatient', 'not_found', { id, as: fixtures.ben.test, body })
      await refused(fixtures, 'updatePatient', 'not_found', { id, as: fixtures.ada.live, body })
    }
  })

  test('a deleted patient', async () => {
    await must(fixtures, 'deletePatient', { id })
    await refused(fixtures, 'updatePatient', 'not_found', { id, body: { first_name: 'Bea' } })
    await refused(fixtures, 'updatePatient', 'not_found', { id, body: {} })
  })
})
