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
