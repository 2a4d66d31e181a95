import { describe, expect, test } from 'bun:test'
import { isId, momentOf } from '#contract/ids.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  expectFaults,
  memberNames,
  timestampPattern,
  expectRefused,
  eventsOf,
} from '../testing/assertions.ts'

const fixtures = useFixtures()

const without = (name: string) =>
  Object.fromEntries(Object.entries(rivera).filter(([key]) => key !== name))
const withAddress = (more: object) => ({ ...rivera, address: { ...rivera.address, ...more } })

describe('createPatient 201', () => {
  test('returns the patient with its fields in schema order', async () => {
    const { answer } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'createPatient', { body: rivera }),
    )
    const { id, created_at } = answer.body
    expect(answer.text).toBe(
      JSON.stringify({
        id,
        external_id: 'cust_8812',
        status: 'active',
        first_name: 'Ada',
        middle_name: null,
        last_name: 'Rivera',
        date_of_birth: '1988-03-14',
        sex_at_birth: 'female',
        email: 'ada.rivera@example.com',
        phone: '+14155550142',
        address: {
          line1: '1600 Stockton Street',
          line2: 'Apt 4',
          city: 'San Francisco',
          state: 'CA',
          postal_code: '94133',
          country: 'US',
        },
        created_at,
        updated_at: created_at,
      }),
    )
    expect(created_at).toMatch(timestampPattern)
    expect(isId('pat', id)).toBe(true)
    expect(id.slice(4, 14)).toBe(momentOf(Date.parse(created_at)))
    expect(answer.headers['location']).toBe(`/v1/patients/${id}`)
    expect((await invoke(fixtures, 'getPatient', { id })).text).toBe(answer.text)
  })

  test('writes one event, a millisecond after created_at', async () => {
    const { answer, events, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'createPatient', { body: rivera }),
    )
    expect(lines).toEqual([`patient.created.v1 null → active ${answer.id}`])
    expect(Date.parse(events[0]?.created_at ?? '')).toBe(Date.parse(answer.created_at) + 1)
  })

  test('optional fields may be omitted or null', async () => {
    const plain = { ...without('external_id'), address: { ...rivera.address, line2: null } }
    for (const body of [plain, { ...plain, middle_name: null, external_id: null }]) {
      const patient = await invokeOk(fixtures, 'createPatient', { body })
      expect([patient.middle_name, patient.external_id]).toEqual([null, null])
      expect([patient.address.line2, patient.address.country]).toEqual([null, 'US'])
      expect(memberNames(patient.address)).toEqual([
        'line1',
        'line2',
        'city',
        'state',
        'postal_code',
        'country',
      ])
    }
  })

  test('stores every character of a value: nothing is trimmed, folded or escaped', async () => {
    const body = { ...rivera, first_name: ' Zoë \u{1F469}‍⚕️ ', last_name: `O'Neil "x" \\ <b>\t` }
    const { id } = await invokeOk(fixtures, 'createPatient', { body })
    const { first_name, last_name } = await invokeOk(fixtures, 'getPatient', { id })
    expect({ first_name, last_name }).toEqual({
      first_name: body.first_name,
      last_name: body.last_name,
    })
  })

  test('accepts values at both limits', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const more of [
      { first_name: 'x', last_name: '\u{1F642}'.repeat(100), external_id: 'e'.repeat(255) },
      { date_of_birth: '1900-01-01', sex_at_birth: 'male', phone: '+1234567' },
      { date_of_birth: today, sex_at_birth: 'intersex', phone: '+123456789012345' },
      { sex_at_birth: 'unknown', middle_name: 'm'.repeat(100) },
      { email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com` },
    ]) {
      const body = { ...rivera, ...more }
      expect(await invokeOk(fixtures, 'createPatient', { body })).toMatchObject(more)
    }
    for (const more of [
      { state: 'DC', postal_code: '20500-0003' },
      { line1: 'l'.repeat(100), line2: 'l'.repeat(100), city: 'c'.repeat(60) },
    ]) {
      const { address } = await invokeOk(fixtures, 'createPatient', { body: withAddress(more) })
      expect(address).toMatchObject(more)
    }
  })

  test('email and external_id don’t have to be unique', async () => {
    const ids = [0, 1].map(() => invokeOk(fixtures, 'createPatient', { body: rivera }))
    const [one, other] = await Promise.all(ids)
    expect(one.id).not.toBe(other.id)
  })

  test('works in live mode, and the event has mode live', async () => {
    const as = fixtures.ada.live
    const { id } = await invokeOk(fixtures, 'createPatient', { as, body: rivera })
    const { data } = await invokeOk(fixtures, 'listEvents', {
      as,
      query: { type: 'patient.created.v1' },
    })
    const event = data.find((one: { resource: { id: string } }) => one.resource.id === id)
    expect([event.mode, event.organization]).toEqual(['live', fixtures.clinic])
    await expectRefused(fixtures, 'getPatient', 'not_found', { id })
  })
})

describe('createPatient 400', () => {
  test.each<[string, string, object]>([
    ['#/first_name', 'required', { first_name: undefined }],
    ['#/address', 'required', { address: undefined }],
    ['#/last_name', 'required', { last_name: null }],
    ['#/first_name', 'too_short', { first_name: '' }],
    ['#/first_name', 'too_long', { first_name: 'x'.repeat(101) }],
    ['#/first_name', 'wrong_type', { first_name: 7 }],
    ['#/first_name', 'invalid_format', { first_name: 'a\0b' }],
    ['#/first_name', 'invalid_format', { first_name: '\ud800' }],
    ['#/middle_name', 'too_short', { middle_name: '' }],
    ['#/external_id', 'too_long', { external_id: 'e'.repeat(256) }],
    ['#/date_of_birth', 'invalid_format', { date_of_birth: '1988-02-30' }],
    ['#/date_of_birth', 'too_small', { date_of_birth: '1899-12-31' }],
    ['#/date_of_birth', 'too_large', { date_of_birth: '2999-01-01' }],
    ['#/sex_at_birth', 'not_in_enum', { sex_at_birth: 'x' }],
    ['#/email', 'invalid_format', { email: 'ada' }],
    ['#/email', 'too_long', { email: `${'a'.repeat(250)}@x.io` }],
    ['#/phone', 'invalid_format', { phone: '4155550142' }],
    ['#/phone', 'invalid_format', { phone: '+0155550142' }],
    ['#/address', 'wrong_type', { address: 'here' }],
    ['#/address/state', 'not_in_enum', { address: { ...rivera.address, state: 'PR' } }],
    ['#/address/state', 'not_in_enum', { address: { ...rivera.address, state: 'ca' } }],
    ['#/address/country', 'not_in_enum', { address: { ...rivera.address, country: 'CA' } }],
    [
      '#/address/postal_code',
      'invalid_format',
      { address: { ...rivera.address, postal_code: '9413' } },
    ],
    ['#/address/line3', 'unknown_field', { address: { ...rivera.address, line3: 'x' } }],
    ['#/address/line2', 'too_short', { address: { ...rivera.address, line2: '' } }],
    ['#/address/city', 'too_long', { address: { ...rivera.address, city: 'c'.repeat(61) } }],
  ])('%s %s', async (pointer, code, change) => {
    const all = Object.entries({ ...rivera, ...change })
    const body = Object.fromEntries(all.filter(([, value]) => value !== undefined))
    expect(await expectFaults(fixtures, 'createPatient', { body })).toEqual([[pointer, code]])
  })

  test('reports every fault at once, in document order', async () => {
    const body = { extra: 1, ...rivera, first_name: '', email: 'x', phone: null }
    const found = await expectFaults(fixtures, 'createPatient', { body })
    expect(found).toEqual([
      ['#/extra', 'unknown_field'],
      ['#/first_name', 'too_short'],
      ['#/email', 'invalid_format'],
      ['#/phone', 'required'],
    ])
  })

  test('a refusal repeats no value from the request', async () => {
    const { body } = await expectRefused(fixtures, 'createPatient', 'invalid_request', {
      body: { ...rivera, email: 'secret-marker', phone: 'secret-marker' },
    })
    expect(JSON.stringify(body)).not.toContain('secret-marker')
  })

  test('refuses an empty body', async () => {
    const found = await expectFaults(fixtures, 'createPatient', {})
    expect(found.map(([, code]: [string, string]) => code)).toEqual(Array(7).fill('required'))
  })
})
