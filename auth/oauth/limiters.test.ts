// Tests which quotas a caller can use up, and the response after that.

import { expect, test } from 'bun:test'
import { createLimiters, limitFailures, takeOne } from './limiters.ts'
import { OAuthRefusal } from './refuse.ts'
import { newRequest } from './request.ts'
import { newAgent, tokenFor } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const tooMany = /^too many failed authentications; try again in (60|59) seconds$/

/** Returns a function that passes a response through `limitFailures`, for a client in a network. */
function openFailures() {
  const limiters = createLimiters()
  return async (status: number, error?: string, client = 'cli_1', address = '203.0.113.1') => {
    const headers: Record<string, string> = {}
    const context = {
      status,
      body: error === undefined ? undefined : ({ error } as unknown),
      set: (name: unknown, value?: string) => void (headers[String(name)] = value ?? ''),
    }
    const request = newRequest({ requestId: 'req_1', address, agent: null })
    await limitFailures(limiters, context, { ...request, client })
    return { ...context, headers }
  }
}

test('the sixty-first failed authentication from a network gets 429', async () => {
  const fail = openFailures()
  for (let at = 0; at < 60; at++) {
    expect((await fail(401, 'invalid_client', `cli_${at}`)).status).toBe(401)
  }
  const { status, body, headers } = await fail(401, 'invalid_client')
  expect([status, body]).toEqual([
    429,
    { error: 'temporarily_unavailable', error_description: expect.stringMatching(tooMany) },
  ])
  expect(headers['Retry-After']).toMatch(/^(60|59)$/)
  expect((await fail(401, 'invalid_client', 'cli_1', '203.0.113.2')).status).toBe(401)
  expect((await fail(400, 'invalid_grant')).status).toBe(400)
})

test('the sixty-first invalid code from a client in a network is refused too', async () => {
  const fail = openFailures()
  for (let at = 0; at < 60; at++) expect((await fail(400, 'invalid_grant')).status).toBe(400)
  expect((await fail(400, 'invalid_grant')).status).toBe(429)
  for (const answer of [
    await fail(400, 'invalid_grant', 'cli_2'),
    await fail(400, 'invalid_grant', 'cli_1', '203.0.113.2'),
    await fail(401, 'invalid_client'),
  ]) {
    expect(answer.status).not.toBe(429)
  }
})

test('other responses don’t count as failures', async () => {
  const fail = openFailures()
  for (let at = 0; at < 61; at++) {
    expect((await fail(200)).status).toBe(200)
    expect((await fail(400, 'invalid_request')).status).toBe(400)
  }
  expect((await fail(401, 'invalid_client')).status).toBe(401)
  expect((await fail(400, 'invalid_grant')).status).toBe(400)
})

test('the sixty-first request is refused, with the seconds to wait', async () => {
  const { tokens } = createLimiters()
  for (let at = 0; at < 60; at++) await takeOne(tokens, 'one', 'token requests')
  const refusal = await takeOne(tokens, 'one', 'token requests').catch(
    (failure: unknown) => failure as OAuthRefusal,
  )
  expect(refusal).toBeInstanceOf(OAuthRefusal)
  expect(refusal).toMatchObject({
    status: 429,
    code: 'temporarily_unavailable',
    description: expect.stringMatching(/^too many token requests; try again in (60|59) seconds$/),
    headers: { 'retry-after': expect.stringMatching(/^(60|59)$/) },
  })
  await takeOne(tokens, 'other', 'token requests')
})

test.each(['code', 'refresh_token', 'device_code'])(
  'a caller is a client with its %s, or with its network if it sends none',
  async name => {
    const client_id = await newAgent(fixture)
    // Refused before anything is looked up.
    const ask = async (form: Record<string, string>, address = '203.0.113.9') => {
      const headers = { 'test-address': address }
      const sent = { grant_type: 'password', client_id, ...form }
      return (await tokenFor(fixture, sent, { headers })).status
    }
    const statuses = async (forms: Record<string, string>[]) =>
      (await Promise.all(forms.map(form => ask(form)))).toSorted()
    const each = Array.from({ length: 61 }, (_, at) => ({ [name]: `value ${at}` }))
    expect(new Set(await statuses(each))).toEqual(new Set([400]))
    const same = await statuses(each.map(() => ({ [name]: 'value' })))
    expect(same).toEqual([...Array<number>(60).fill(400), 429])
    const none = await statuses(each.map(() => ({})))
    expect(none).toEqual([...Array<number>(60).fill(400), 429])
    expect(await ask({}, '203.0.113.10')).toBe(400)
  },
)
