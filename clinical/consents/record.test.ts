import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ask, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, moment, unknownId, refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
let id: string
beforeAll(async () => {
  fixtures = await openFixtures()
})
beforeEach(async () => {
  id = (await must(fixtures, 'createPatient', { body: rivera })).id
})
afterAll(() => fixtures.close())

const telehealth = { kind: 'telehealth', version: '2026-09-01' }
const statuses = async () => {
  const { data } = await must(fixtures, 'listConsents', { id })
  return data.map((one: { kind: string; version: string; status: string }) => [
    one.kind,
    one.version,
    one.status,
  ])
}

describe('201', () => {
  test('answers the consent, its members in the order of the schema', async () => {
    const body = { ...telehealth, accepted_at: '2026-11-20T15:03:58.000Z' }
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'recordConsent', { id, body }),
    )
    expect(answer.status).toBe(201)
    expect(answer.text).toBe(
      JSON.stringify({
        id: answer.body.id,
        patient: id,
        kind: 'telehealth',
        version: '2026-09-01',
        status: 'current',
        accepted_at: '2026-11-20T15:03:58.000Z',
        created_at: answer.body.created_at,
      }),
    )
    expect(answer.body.created_at).toMatch(moment)
    expect(lines).toEqual([`consent.recorded.v1 null → current ${answer.body.id}`])
  })

  test('a consent is read in a list only, so it has no Location', async () => {
    const { headers } = await ask(fixtures, 'recordConsent', { id, body: telehealth })
    expect(headers['location']).toBeUndefined()
  })

  test('left out, accepted_at is the moment of the record', async () => {
    const consent = await must(fixtures, 'recordConsent', { id, body: telehealth })
    expect(consent.accepted_at).toBe(consent.created_at)
  })

  test.each([
    ['2026-11-20T07:03:58.123456-08:00', '2026-11-20T15:03:58.123Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1900-01-01', '1900-01-01T00:00:00.000Z'],
    ['2026-11-20t15:03:58z', '2026-11-20T15:03:58.000Z'],
  ])('accepted_at %s is published as %s', async (accepted_at, published) => {
    const body = { ...telehealth, accepted_at }
    expect((await must(fixtures, 'recordConsent', { id, body })).accepted_at).toBe(published)
  })

  test('the newest of its kind is current; the one before is superseded, without an event', async () => {
    const record = (kind: string, version: string) =>
      must(fixtures, 'recordConsent', { id, body: { kind, version } })
    await record('telehealth', '1')
    await record('privacy', '1')
    const { answer, lines } = await told(fixtures, () => record('telehealth', '2'))
    expect(lines).toEqual([`consent.recorded.v1 null → current ${answer.id}`])
    await record('telehealth', '1')
    expect(await statuses()).toEqual([
      ['telehealth', '1', 'superseded'],
      ['privacy', '1', 'current'],
      ['telehealth', '2', 'superseded'],
      ['telehealth', '1', 'current'],
    ])
  })

  test('newest is what was recorded last, not what was accepted last', async () => {
    for (const [version, accepted_at] of [
      ['2', '2026-06-01'],
      ['1', '2025-06-01'],
    ]) {
      await must(fixtures, 'recordConsent', { id, body: { ...telehealth, version, accepted_at } })
    }
    expect(await statuses()).toEqual([
      ['telehealth', '2', 'superseded'],
      ['telehealth', '1', 'current'],
    ])
  })

  test("one patient's consent supersedes no other's", async () => {
    const other = (await must(fixtures, 'createPatient', { body: rivera })).id
    await must(fixtures, 'recordConsent', { id, body: telehealth })
    await must(fixtures, 'recordConsent', { id: other, body: telehealth })
    expect(await statuses()).toEqual([['telehealth', '2026-09-01', 'current']])
  })
})

describe('200', () => {
  test('a list holds each consent once across its pages, as the record answered it', async () => {
    const answers: string[] = []
    for (const version of ['1', '2', '3']) {
      answers.push(
        (await ask(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version } })).text,
      )
    }
    const first = await ask(fixtures, 'listConsents', { id, query: { limit: '2' } })
    const older = answers.slice(0, 2).map(text => text.replace('"current"', '"superseded"'))
    expect(first.text).toBe(`{"data":[${older.join(',')}],"has_more":true}`)
    const query = { starting_after: first.body.data[1].id }
    const second = await ask(fixtures, 'listConsents', { id, query })
    expect(second.text).toBe(`{"data":[${answers[2]}],"has_more":false}`)
  })

  test('a patient without consents has an empty list', async () => {
    expect((await ask(fixtures, 'listConsents', { id })).text).toBe('{"data":[],"has_more":false}')
  })
})

describe('400', () => {
  test.each<[string, string, object]>([
    ['#/kind', 'required', { version: '1' }],
    ['#/version', 'required', { kind: 'privacy' }],
    ['#/kind', 'not_in_enum', { ...telehealth, kind: 'marketing' }],
    ['#/version', 'too_short', { ...telehealth, version: '' }],
    ['#/version', 'too_long', { ...telehealth, version: 'v'.repeat(65) }],
    ['#/accepted_at', 'too_large', { ...telehealth, accepted_at: '2999-01-01' }],
    ['#/accepted_at', 'too_small', { ...telehealth, accepted_at: '1899-12-31T23:59:59.999Z' }],
    ['#/accepted_at', 'invalid_format', { ...telehealth, accepted_at: '2026-11-20T15:03:58' }],
    ['#/accepted_at', 'invalid_format', { ...telehealth, accepted_at: 'yesterday' }],
    ['#/accepted_at', 'wrong_type', { ...telehealth, accepted_at: 0 }],
    ['#/status', 'unknown_field', { ...telehealth, status: 'current' }],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'recordConsent', { id, body })).toEqual([[pointer, code]])
  })

  test('a cursor of another kind', async () => {
    const query = { starting_after: unknownId('pat') }
    expect(await expectFaults(fixtures, 'listConsents', { id, query })).toEqual([
      ['?starting_after', 'invalid_cursor'],
    ])
  })
})

describe('404', () => {
  test("a patient that is nobody's, another's, or of the other plane", async () => {
    await refused(fixtures, 'recordConsent', 'not_found', {
      id: unknownId('pat'),
      body: telehealth,
    })
    await refused(fixtures, 'listConsents', 'not_found', { id: unknownId('pat') })
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      await refused(fixtures, 'recordConsent', 'not_found', { id, as, body: telehealth })
      await refused(fixtures, 'listConsents', 'not_found', { id, as })
    }
  })
})
