// The packed library's errors and User-Agent, tested against a server with scripted responses.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'bun:test'
import { problems } from '#contract/problems.ts'
import { installedPackage, sdk } from './testing/package.ts'
import { run } from './testing/runtimes.ts'

type Problem = { status: number; surfaces?: readonly string[] }
type Answer = (request: Request) => Response | Promise<Response>
let answer: Answer = () => Response.json({})
const server = Bun.serve({ port: 0, fetch: request => answer(request) })
afterAll(() => server.stop(true))

const client = (options: object = {}) =>
  new sdk.Svc({
    apiKey: 'svc_sk_test_0',
    baseUrl: `http://localhost:${server.port}`,
    maxRetries: 0,
    ...options,
  })

const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => null,
    (error: unknown) => error,
  )

function refuseWith(status: number, problem: object): void {
  answer = () => Response.json(problem, { status, headers: { 'request-id': 'req_of_a_header' } })
}

test('every request names the library, its runtime, the program and the API version', async () => {
  let headers = new Headers()
  answer = request => {
    headers = request.headers
    return Response.json({})
  }
  const appInfo = { name: 'clinic', version: '2', url: 'https://clinic.example' }
  await client({ appInfo, organization: 'org_1' }).organization.get()
  const agent = new RegExp(
    `^svc-sdk/${sdk.sdkVersion} Bun/\\S+ clinic/2 https://clinic.example$`,
    'i',
  )
  expect(headers.get('user-agent')).toMatch(agent)
  expect(headers.get('service-organization')).toBe('org_1')
  expect(headers.get('api-version')).toBe(sdk.apiVersion)
})

describe('errors', () => {
  test('each contract code has its own class', async () => {
    const classes = new Set<unknown>()
    const codes = Object.entries(problems as Record<string, Problem>).filter(
      ([, { surfaces = ['v1'] }]) => surfaces.includes('v1'),
    )
    expect(codes.length).toBeGreaterThan(20)
    for (const [code, { status }] of codes) {
      refuseWith(status, { code, title: 'A title.', detail: 'A detail.', hint: 'A hint.', status })
      const error = await failure(client().organization.get())
      expect(error).toBeInstanceOf(sdk.APIError)
      expect(error).toMatchObject({ code, status, hint: 'A hint.', requestId: 'req_of_a_header' })
      classes.add((error as object).constructor)
    }
    expect(classes.size).toBe(codes.length)
    expect(classes).not.toContain(sdk.APIError)
  })

  test('an unknown code and a response that isn’t a problem are APIErrors', async () => {
    refuseWith(422, { code: 'a_later_code', detail: 'A detail.' })
    const later = await failure(client().organization.get())
    expect((later as object).constructor).toBe(sdk.APIError)
    expect(later).toMatchObject({ code: 'a_later_code', status: 422 })
    answer = () => new Response('<h1>Bad Gateway</h1>', { status: 502 })
    const proxy = await failure(client().organization.get())
    expect((proxy as object).constructor).toBe(sdk.APIError)
    expect(proxy).toMatchObject({ code: 'unknown', status: 502 })
  })

  test('a problem’s fields are properties of its error', async () => {
    const scopes = { required_scope: 'patients:write', granted_scopes: ['organization:read'] }
    refuseWith(403, { code: 'insufficient_scope', ...scopes })
    const error = await failure(client().organization.get())
    expect(error).toBeInstanceOf(sdk.InsufficientScopeError)
    expect(error).toHaveProperty('requiredScope', 'patients:write')
    expect(error).toHaveProperty('grantedScopes', ['organization:read'])
  })

  test('a missing response is a TimeoutError with the write’s key', async () => {
    answer = () => new Promise(() => undefined)
    const call = client({ timeout: 50 }).exports.create('pat_1', { idempotencyKey: 'a-key' })
    const error = await failure(call)
    expect(error).toBeInstanceOf(sdk.TimeoutError)
    expect(error).toBeInstanceOf(sdk.ConnectionError)
    expect(error).toMatchObject({ attempts: 1, idempotencyKey: 'a-key' })
    expect(String(error)).toContain('no response in 50 ms')
  })

  test('a retry that would start too late is a TimeoutError, whose cause is the API’s error', async () => {
    const problem = { code: 'rate_limited', status: 429 }
    const headers = { 'retry-after': '30', 'request-id': 'req_of_a_header' }
    answer = () => Response.json(problem, { status: 429, headers })
    const call = client({ totalTimeout: 5000, maxRetries: 2 }).exports.create('pat_1')
    const error = (await failure(call)) as Error
    expect(error).toBeInstanceOf(sdk.TimeoutError)
    expect(error.message).toBe(
      'the next attempt would start after the total timeout of 5000 ms: ' +
        'POST /v1/patients/{id}/exports, 1 attempt',
    )
    expect(error.cause).toBeInstanceOf(sdk.RateLimitedError)
    expect(error.cause).toMatchObject({ retryAfter: 30, requestId: 'req_of_a_header' })
  })

  test('a retry that would start too late, of a write with an unknown outcome, says so', async () => {
    const outcomes: [status: number, code: string][][] = [
      [[500, 'internal_error']],
      [[502, 'unknown']],
      [[504, 'unknown']],
      [[409, 'idempotency_in_progress']],
      [
        [502, 'unknown'],
        [429, 'rate_limited'],
      ],
    ]
    for (const responses of outcomes) {
      const attempts = responses.length
      answer = () => {
        const [status, code] = responses.shift() ?? [500, 'none']
        const headers = { 'retry-after': responses.length > 0 ? '0' : '30' }
        return Response.json({ code, status }, { status, headers })
      }
      const call = client({ totalTimeout: 5000, maxRetries: 2 }).exports.create('pat_1')
      const error = (await failure(call)) as Error
      expect(error).toBeInstanceOf(sdk.TimeoutError)
      expect(error).toMatchObject({ attempts })
      expect(error.message).toMatch(/, \d attempts? — it may have taken effect$/)
    }
  })

  test('cases.waitFor: a retry that would start too late ends the wait', async () => {
    const headers = { 'retry-after': '30' }
    answer = () => Response.json({ code: 'rate_limited' }, { status: 429, headers })
    const wait = { status: ['declined'], timeout: 20_000 } as const
    const { cases } = client({ maxRetries: 2 })
    const error = (await failure(cases.waitFor('case_1', wait))) as Error
    expect(error).toBeInstanceOf(sdk.WaitTimeoutError)
    expect(error.cause).toBeInstanceOf(sdk.TimeoutError)
    expect((error.cause as Error).cause).toMatchObject({ code: 'rate_limited', retryAfter: 30 })
  })

  test('a date in Retry-After is compared with the server’s clock', async () => {
    const [date, later] = ['Wed, 21 Oct 2015 07:27:50 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT']
    answer = () => new Response('', { status: 503, headers: { date, 'retry-after': later } })
    const error = await failure(client().organization.get())
    expect(error).toHaveProperty('retryAfter', 10)
  })

  test('calls that share a failed token request each have their own key', async () => {
    answer = () => Response.json({ error: 'invalid_client' }, { status: 401 })
    const authUrl = `http://localhost:${server.port}`
    const svc = client({ apiKey: undefined, clientId: 'c', clientSecret: 's', authUrl })
    const keys = ['one', 'other']
    const calls = keys.map(idempotencyKey => svc.exports.create('pat_1', { idempotencyKey }))
    const errors = await Promise.all(calls.map(failure))
    for (const error of errors) expect(error).toBeInstanceOf(sdk.TokenError)
    expect(errors).toMatchObject(keys.map(idempotencyKey => ({ idempotencyKey })))
  })
})

test('errors from both builds are instances of each other, and name the caller’s line', async () => {
  const { folder } = await installedPackage()
  const require = createRequire(path.join(folder, 'program.cjs'))
  const other = require('@svc/sdk') as typeof sdk
  expect(other.NotFoundError).not.toBe(sdk.NotFoundError)
  answer = () => Response.json({ code: 'not_found', status: 404 }, { status: 404 })
  const error = (await failure(client().cases.get('case_1'))) as Error
  expect([error instanceof other.NotFoundError, error instanceof other.SvcError]).toEqual([
    true,
    true,
  ])
  expect([error instanceof other.GoneError, {} instanceof other.SvcError]).toEqual([false, false])
  class Own extends sdk.APIError {}
  expect(error instanceof Own).toBe(false)
  expect(error.stack).toContain(path.basename(import.meta.path))
  const file = path.join(folder, 'stack.mjs')
  writeFileSync(
    file,
    `import { Svc } from '@svc/sdk'
const svc = new Svc({ apiKey: 'k', baseUrl: 'http://localhost:${server.port}', maxRetries: 0 })
async function callerOfTheLibrary() {
  for await (const one of svc.cases.list()) console.log(one)
}
await callerOfTheLibrary().catch(error => console.log(error.stack))
`,
  )
  const { out } = await run(['node', file], folder)
  expect(out).toMatch(/callerOfTheLibrary .*stack\.mjs:4/)
})
