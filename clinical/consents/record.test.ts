import { beforeEach, describe, expect, test } from 'bun:test'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, timestampPattern, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
beforeEach(async () => {
  id = (await invokeOk(fixtures, 'createPatient', { body: rivera })).id
})

const telehealth = { kind: 'telehealth', version: '2026-09-01' }
const statuses = async () => {
  const { data } = await invokeOk(fixtures, 'listConsents', { id })
  return data.map((one: { kind: string; version: string; status: string }) => [
    one.kind,
    one.version,
    one.status,
  ])
}

describe('recordConsent 201', () => {
  test('returns the consent with its fields in schema order', async () => {
    const body = { ...telehealth, accepted_at: '2026-11-20T15:03:58.000Z' }
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'recordConsent', { id, body }),
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
        version_in_force: null,
      }),
    )
    expect(answer.body.created_at).toMatch(timestampPattern)
    expect(lines).toEqual([`consent.recorded.v1 null → current ${answer.body.id}`])
  })

  test('has no Location header, because a consent is only read in a list', async () => {
    const { headers } = await invoke(fixtures, 'recordConsent', { id, body: telehealth })
    expect(headers['location']).toBeUndefined()
  })

  test('accepted_at defaults to created_at', async () => {
    const consent = await invokeOk(fixtures, 'recordConsent', { id, body: telehealth })
    expect(consent.accepted_at).toBe(consent.created_at)
  })

  test.each([
    ['2026-11-20T07:03:58.123456-08:00', '2026-11-20T15:03:58.123Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1900-01-01', '1900-01-01T00:00:00.000Z'],
    ['2026-11-20t15:03:58z', '2026-11-20T15:03:58.000Z'],
  ])('accepted_at %s is published as %s', async (accepted_at, published) => {
    const body = { ...telehealth, accepted_at }
    expect((await invokeOk(fixtures, 'recordConsent', { id, body })).accepted_at).toBe(published)
  })

  test('the newest consent of a kind is current; recording it supersedes the previous one without an event', async () => {
    const record = (kind: string, version: string) =>
      invokeOk(fixtures, 'recordConsent', { id, body: { kind, version } })
    await record('telehealth', '1')
    await record('privacy', '1')
    const { answer, lines } = await eventsOf(fixtures, () => record('telehealth', '2'))
    expect(lines).toEqual([`consent.recorded.v1 null → current ${answer.id}`])
    await record('telehealth', '1')
    expect(await statuses()).toEqual([
      ['telehealth', '1', 'superseded'],
      ['privacy', '1', 'current'],
      ['telehealth', '2', 'superseded'],
      ['telehealth', '1', 'current'],
    ])
  })

  test('a consent recorded later doesn’t change a filed case', async () => {
    const { id: filed, patient } = await queuedCase(fixtures)
    const before = await invokeOk(fixtures, 'getCase', { id: filed })
    const body = { kind: 'telehealth', version: '9' }
    const { lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'recordConsent', { id: patient, body }),
    )
    expect(lines).toHaveLength(1)
    expect(await invokeOk(fixtures, 'getCase', { id: filed })).toEqual(before)
  })

  test('the last recorded consent is current, whatever its accepted_at', async () => {
    for (const [version, accepted_at] of [
      ['2', '2026-06-01'],
      ['1', '2025-06-01'],
    ]) {
      await invokeOk(fixtures, 'recordConsent', {
        id,
        body: { ...telehealth, version, accepted_at },
      })
    }
    expect(await statuses()).toEqual([
      ['telehealth', '2', 'superseded'],
      ['telehealth', '1', 'current'],
    ])
  })

  test("a consent does not supersede another patient's consent", async () => {
    const other = (await invokeOk(fixtures, 'createPatient', { body: rivera })).id
    await invokeOk(fixtures, 'recordConsent', { id, body: telehealth })
    await invokeOk(fixtures, 'recordConsent', { id: other, body: telehealth })
    expect(await statuses()).toEqual([['telehealth', '2026-09-01', 'current']])
  })
})

describe('listConsents 200', () => {
  test('a list has each consent once across its pages, as recordConsent returned it', async () => {
    const answers: string[] = []
    for (const version of ['1', '2', '3']) {
      answers.push(
        (await invoke(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version } })).text,
      )
    }
    const first = await invoke(fixtures, 'listConsents', { id, query: { limit: '2' } })
    const older = answers.slice(0, 2).map(text => text.replace('"current"', '"superseded"'))
    expect(first.text).toBe(`{"data":[${older.join(',')}],"has_more":true}`)
    const query = { starting_after: first.body.data[1].id }
    const second = await invoke(fixtures, 'listConsents', { id, query })
    expect(second.text).toBe(`{"data":[${answers[2]}],"has_more":false}`)
  })
})

test('accepted_at may be up to 60 seconds ahead of the server’s time', async () => {
  const ahead = (seconds: number) => ({
    ...telehealth,
    accepted_at: new Date(fixtures.context.now() + seconds * 1000).toISOString(),
  })
  const body = ahead(58)
  const consent = await invokeOk(fixtures, 'recordConsent', { id, body })
  expect(consent.accepted_at).toBe(body.accepted_at)
  expect(consent.created_at < consent.accepted_at).toBe(true)
  expect(await expectFaults(fixtures, 'recordConsent', { id, body: ahead(90) })).toEqual([
    ['#/accepted_at', 'too_large'],
  ])
})

describe('consents 400', () => {
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
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'recordConsent', { id, body })).toEqual([[pointer, code]])
  })
})
