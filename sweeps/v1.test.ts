// The clinical API over real HTTP: the order of checks, common headers, and exact paths and
// methods.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { callableIds, callable } from '#contract/callable.ts'
import { apiVersion } from '#contract/limits.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

type PostOptions = { headers?: Record<string, string>; body?: BodyInit; as?: string | null }
let keys = 0
const post = (options: PostOptions = {}, path = '/v1/patients') => {
  const { headers, body = JSON.stringify(rivera), as } = options
  const common = { 'content-type': 'application/json', 'idempotency-key': `key-${++keys}` }
  return gateway.call(path, {
    method: 'POST',
    body,
    headers: { ...common, ...headers },
    ...(as === undefined ? {} : { as }),
  })
}

/** Checks everything that all errors have in common, and returns the body. */
async function refusal(answer: Response, code: ProblemCode): Promise<Record<string, unknown>> {
  const body = (await answer.json()) as Record<string, unknown>
  expect(body).toMatchObject({ code, status: problems[code].status, title: problems[code].title })
  expect(answer.status).toBe(problems[code].status)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(body['type']).toBe(`http://localhost:3000/problems/${code}`)
  expect(body['request_id']).toBe(answer.headers.get('request-id'))
  expect(typeof body['detail']).toBe('string')
  expectCommonHeaders(answer)
  return body
}

function expectCommonHeaders({ headers }: Response): void {
  expect(headers.get('request-id')).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect(headers.get('api-version')).toBe(apiVersion)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('ratelimit-policy')).toMatch(/^"(default|auth)";q=\d+;w=60$/)
}

describe('v1: 200 and 201', () => {
  test('a read has all common headers', async () => {
    const answer = await gateway.call('/v1/organization')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expectCommonHeaders(answer)
    const left = Number(answer.headers.get('ratelimit-remaining'))
    const reset = answer.headers.get('ratelimit-reset')
    expect(answer.headers.get('ratelimit')).toBe(`"default";r=${left};t=${reset}`)
    expect(answer.headers.get('ratelimit-limit')).toBe('1000000')
  })
  test('a create has Location, and a replay has Idempotent-Replayed', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await post({ headers })
    const text = await first.text()
    expect(first.status).toBe(201)
    expect(first.headers.get('location')).toBe(`/v1/patients/${JSON.parse(text).id}`)
    const again = await post({ headers })
    expect(again.status).toBe(201)
    expect(await again.text()).toBe(text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('original-request-id')).toBe(first.headers.get('request-id'))
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    const read = await gateway.call(first.headers.get('location') ?? '')
    expect(await read.text()).toBe(text)
  })
  test('HEAD responds like GET, without a body', async () => {
    const whole = await gateway.call('/v1/organization')
    const head = await gateway.call('/v1/organization', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-length')).toBe(String((await whole.text()).length))
    expect(head.headers.get('content-type')).toBe('application/json')
    const one = await gateway.call('/v1/medications/med_01ke5q8600cs8dx2pfwah5v0tz', {
      method: 'HEAD',
    })
    expect(Number(one.headers.get('content-length'))).toBeGreaterThan(100)
    const refused = await gateway.call('/v1/organization', { method: 'HEAD', as: null })
    expect(refused.status).toBe(401)
    expect(await refused.text()).toBe('')
  })
  test('HEAD for a path with an ID states the length that GET sends', async () => {
    const { id } = await invokeOk(gateway.fixtures, 'createPatient', { body: rivera })
    const path = `/v1/patients/${id}`
    const whole = await (await gateway.call(path)).text()
    const head = await gateway.call(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
  })
  test('a GET with a body is handled like one without', async () => {
    const text = await exchange(
      gateway.port,
      `GET /v1/organization HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`,
      `Authorization: Bearer ${gateway.fixtures.ada.test}\r\nContent-Length: 9\r\n\r\nnot json!`,
    )
    expect(text).toStartWith('HTTP/1.1 200')
  })
})

test('v1: 401 distinguishes a malformed credential from a missing one', async () => {
  for (const authorization of [
    gateway.fixtures.ada.test,
    `Basic ${gateway.fixtures.ada.test}`,
    'Bearer',
  ]) {
    const answer = await gateway.call('/v1/patients', {
      as: null,
      headers: { authorization },
    })
    const { detail } = await refusal(answer, 'unauthorized')
    expect(detail).toBe('The Authorization header is not Bearer, one space and one token.')
  }
  const { detail } = await refusal(await gateway.call('/v1/patients', { as: null }), 'unauthorized')
  expect(detail).toBe('No bearer token was sent.')
})

test('v1: 404 names an ID’s kind if it doesn’t fit the path', async () => {
  const answer = await gateway.call('/v1/patients/case_01m7wqryk2hdshyqxcd9x2kd4r')
  expect((await refusal(answer, 'not_found'))['hint']).toContain('you sent a case ID.')
})

describe('v1: order of checks', () => {
  // Each request fails its own check and all later checks; the first failure is reported.
  const large = 'x'.repeat(1_048_577)
  const wrong: [code: ProblemCode, options: () => PostOptions][] = [
    ['unauthorized', () => ({ as: null, headers: { 'idempotency-key': '' }, body: large })],
    ['unauthorized', () => ({ as: 'svc_sk_test_made-up', body: large })],
    [
      'organization_not_granted',
      () => ({ headers: { 'service-organization': 'org_x', 'idempotency-key': '' }, body: large }),
    ],
    ['payload_too_large', () => ({ headers: { 'idempotency-key': '' }, body: large })],
    [
      'idempotency_key_required',
      () => ({ headers: { 'idempotency-key': '', 'content-type': 'text/plain' }, body: '{' }),
    ],
    [
      'unsupported_media_type',
      () => ({ headers: { 'content-type': 'text/plain', 'api-version': 'x' }, body: '{' }),
    ],
    ['invalid_request', () => ({ headers: { 'api-version': 'x' }, body: '{' })],
  ]
  test.each(wrong)('%s', async (code, options) => {
    await refusal(await post(options()), code)
  })
  test('a missing scope is reported before an oversized body', async () => {
    const { integration } = gateway.fixtures.ada
    const as = await gateway.fixtures.key({
      integration,
      mode: 'test',
      name: 'reads',
      scopes: ['patients:read'],
    })
    const body = await refusal(await post({ as, body: large }), 'insufficient_scope')
    expect(body['required_scope']).toBe('patients:write')
  })
  test('a live key under /v1/test is refused before the body is checked', async () => {
    const path = '/v1/test/cases/case_nope/decision'
    const options = {
      as: gateway.fixtures.ada.live,
      headers: { 'idempotency-key': '' },
      body: large,
    }
    await refusal(await post(options, path), 'forbidden')
  })
  test('a reused key is reported before an invalid body', async () => {
    const headers = { 'idempotency-key': 'used' }
    expect((await post({ headers })).status).toBe(201)
    await refusal(await post({ headers, body: '{"unknown":1}' }), 'idempotency_key_reused')
  })
  test('route and method are checked before the credential', async () => {
    const missing = await refusal(await gateway.call('/v1/nope', { as: null }), 'not_found')
    expect(missing['hint']).toContain('http://localhost:3000/openapi/v1.json')
    await refusal(
      await gateway.call('/v1/patients', { method: 'DELETE', as: null }),
      'method_not_allowed',
    )
  })
})

describe('v1: 404 for inexact paths', () => {
  const paths = [
    '/v1',
    '/v1/',
    '/v1/Patients',
    '/v1//patients',
    '/v1/patients//consents',
    '/v1/patients/a%2Fconsents',
    '/v1/patients/%E0%A4%A',
    '/v1/%70atients',
    '/v1/organization/x',
    '/v1/__proto__',
    '/v1/patients/x/consents/y/z',
    '/v1/:id',
    '/v1/*',
  ]
  test.each(paths)('%s', async path => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      await refusal(await gateway.call(path, { method, as: null }), 'not_found')
    }
  })
})

describe('v1: 405', () => {
  let narrow: string
  beforeAll(async () => {
    const { integration } = gateway.fixtures.ada
    narrow = await gateway.fixtures.key({
      integration,
      mode: 'test',
      name: 'nothing',
      scopes: [],
    })
  })
  const paths = [...new Set(callableIds.map(id => callable[id].path))]
  test.each(paths)('%s', async path => {
    const rows = callableIds.map(id => callable[id]).filter(row => row.path === path)
    const allowed = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const place = path.replaceAll(/\{\w+\}/g, 'x')
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      // `fetch` can't send TRACE, so the requests are raw.
      const text = await exchange(
        gateway.port,
        `${method} ${place} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`,
        `Authorization: Bearer ${narrow}\r\n\r\n`,
      )
      const status = Number(text.split(' ')[1])
      // The key has no scopes, so an existing method gets 403.
      expect([method, status]).toEqual([method, allowed.includes(method) ? 403 : 405])
      if (status !== 405) continue
      const allow = /^allow: (.*)\r$/im.exec(text)?.[1]?.split(', ') ?? []
      expect(allow.toSorted()).toEqual(allowed.toSorted())
    }
  })
  test('there is no CORS', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
    const answer = await gateway.call('/v1/organization', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(405)
    expect([...answer.headers.keys()].filter(name => name.startsWith('access-'))).toEqual([])
  })
})
