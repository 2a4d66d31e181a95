// Behavior of every call in the packed library apart from retries: results match their requests,
// time limits hold, and observers change nothing.
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { model } from '../generate/model.ts'
import type { OperationModel } from '../generate/operations.ts'
import { installedPackage, sdk } from './testing/package.ts'
import { commandOf, run, runtimes } from './testing/runtimes.ts'

type Answer = (request: Request) => Response | Promise<Response>
let answer: Answer
let asked: string[] = []
const server = Bun.serve({
  port: 0,
  idleTimeout: 0,
  fetch(request) {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return answer(request)
  },
})
const base = `http://localhost:${server.port}`
beforeEach(() => {
  asked = []
  answer = () => Response.json({})
})
afterAll(() => server.stop(true))

const client = (options: object = {}) =>
  new sdk.Svc({ apiKey: 'svc_sk_test_0', baseUrl: base, maxRetries: 0, ...options })

const failure = (call: unknown): Promise<Error> =>
  Promise.resolve(call).then(
    () => expect.unreachable('it succeeded'),
    (error: Error) => error,
  )

type Method = (...values: unknown[]) => PromiseLike<unknown>
function methodOf(svc: object, { resource, verb }: OperationModel): Method {
  const group = resource.reduce((at, word) => (at as Record<string, object>)[word] ?? {}, svc)
  const method = (group as Record<string, Method>)[verb]
  if (method === undefined) throw new Error(`there is no ${verb}`)
  return method.bind(group)
}

const wrong = [
  '',
  '.',
  '..',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'a\nb',
  'a\u007Fb',
  'a\u2028b',
  '%2e',
  null,
]

test('an id that would change the path sends nothing, in every method', async () => {
  const svc = client()
  let count = 0
  for (const operation of model.operations) {
    const ids = operation.pathParameters.map(() => 'ok_1')
    for (const at of ids.keys()) {
      for (const id of wrong) {
        const call = methodOf(svc, operation)(...ids.with(at, id as string), {})
        expect(await failure(call)).toBeInstanceOf(TypeError)
        count++
      }
    }
  }
  for (const one of [
    '/v1/cases/../events',
    '/v1/cases/%2E%2e/events',
    '/v1\\x',
    '/v1/a?b',
    '/a\nb',
  ]) {
    expect(await failure(svc.request('GET', one as '/'))).toBeInstanceOf(TypeError)
  }
  expect([count > 400, asked]).toEqual([true, []])
})

/** A valid response about an ID other than the requested ID. */
function otherOf({ answer: example, echoes }: OperationModel): object {
  const other = { [echoes ?? '']: 'other_1' }
  const { data } = example as { data?: object[] }
  return data
    ? { data: [{ ...data[0], ...other }], has_more: false }
    : { ...(example as object), ...other }
}

test('a response about another id is an error, in every method that names one', async () => {
  const checked = model.operations.filter(({ echoes }) => echoes !== null)
  expect(checked.length).toBeGreaterThan(30)
  for (const operation of checked) {
    answer = () => Response.json(otherOf(operation))
    const ids = operation.pathParameters.map(() => 'ok_1')
    const error = await failure(methodOf(client(), operation)(...ids, {}))
    expect(error, operation.id).toBeInstanceOf(sdk.MismatchedResponseError)
    expect(error.message).not.toContain('other_1')
    // A key without the read scope receives only the ID and the fields it sent.
    answer = () => Response.json({ data: [{}] })
    const call = Promise.resolve(methodOf(client(), operation)(...ids, {}))
    if (operation.echoes === 'id') await expect(call).rejects.toThrow('another request')
    else await call
  }
})

test('a listener or logger that throws changes nothing, and is reported once', async () => {
  const lines: string[] = []
  const fail = (line: string) => {
    lines.push(line)
    throw new Error('of the logger')
  }
  const logger = { error: fail, warn: fail, info: fail, debug: fail }
  const svc = client({ logger, logLevel: 'debug' })
  svc.on('response', () => fail('listener'))
  for (let count = 0; count < 3; count++) await svc.organization.get()
  await until(() => lines.filter(line => line === 'listener').length >= 3)
  expect(lines.filter(line => line.includes('calls continue'))).toHaveLength(1)
})

describe('times and signals', () => {
  const never = new Promise<Response>(() => {})
  const ended = 'the caller left'

  test.each(runtimes)(
    '%s: limits and signals cover the whole operation, each with its own error',
    async runtime => {
      const { folder } = await installedPackage()
      await cp(path.join(import.meta.dir, 'testing/times.mjs'), path.join(folder, 'times.mjs'))
      answer = ({ method, url }) => {
        const { pathname } = new URL(url)
        if (method === 'PUT') return never
        if (pathname === '/v1/files') {
          return Response.json({ id: 'file_1', upload_url: `${base}/storage`, upload_headers: {} })
        }
        if (['/v1/events', '/v1/cases/case_1'].includes(pathname)) return never
        return new Response(new ReadableStream({ start: body => body.enqueue(new Uint8Array(9)) }))
      }
      const { out, err, code } = await run([...(await commandOf(runtime)), 'times.mjs'], folder, {
        SVC_BASE_URL: base,
      })
      expect([code, err]).toEqual([0, ''])
      expect(JSON.parse(out)).toEqual({
        'upload, signal': ended,
        'upload, timeout': 'TimeoutError',
        'upload, total': 'TimeoutError',
        'download, signal': ended,
        'download, timeout': 'TimeoutError',
        'download, total': 'TimeoutError',
        'iterator, signal': ended,
        'iterator, timeout': 'TimeoutError',
        'wait, signal': ended,
        'wait, timeout': 'WaitTimeoutError',
      })
    },
    60_000,
  )
  test('a signal aborts a call between two attempts, with its own reason', async () => {
    answer = () => new Response('', { status: 503, headers: { 'retry-after': '30' } })
    const controller = new AbortController()
    const options = { signal: controller.signal, maxRetries: 2 }
    const call = failure(client().organization.get(options))
    await until(() => asked.length >= 1)
    controller.abort(new Error(ended))
    expect((await call).message).toBe(ended)
  })
  test.each([0, Infinity, 2 ** 40])('a timeout of %d ms never cuts a call short', async timeout => {
    const began = performance.now()
    answer = () => until(() => performance.now() - began > 50).then(() => Response.json({}))
    await client({ timeout, totalTimeout: timeout }).organization.get({ timeout })
  })
  test('events start at the server’s time, even if the local clock is wrong', async () => {
    for (const ahead of [-90_000, 90_000]) {
      const server = Date.now() - ahead
      const since: string[] = []
      answer = ({ url }) => {
        since.push(new URL(url).searchParams.get('since') ?? '')
        const headers = { date: new Date(server).toUTCString() }
        return Response.json({ data: [], has_more: false }, { headers })
      }
      const controller = new AbortController()
      const events = client().events.iterate({}, { signal: controller.signal })
      expect(events.cursor).toBeUndefined()
      const next = failure(events.next())
      await until(() => since.length >= 2)
      controller.abort(new Error(ended))
      await next
      const at = Date.parse(since.at(-1) ?? '')
      expect([at <= server, at > server - 5000, events.cursor]).toEqual([true, true, since.at(-1)])
    }
  })
})

describe('options', () => {
  const seen = (name: string) => {
    const found: (string | null)[] = []
    answer = ({ headers }) => {
      found.push(headers.get(name))
      return Response.json({})
    }
    return found
  }
  test('withOptions: returns a client with other options that shares listeners', async () => {
    const found = seen('service-organization')
    const svc = client({ organization: 'org_1', headers: { traceparent: 'a' } })
    const other = svc.withOptions({ organization: 'org_2', headers: { baggage: 'b' } })
    const heard: unknown[] = []
    svc.on('response', event => void heard.push(event))
    await svc.organization.get()
    await other.organization.get()
    await other.organization.get({ organization: 'org_3' })
    await until(() => heard.length >= 3)
    expect(found).toEqual(['org_1', 'org_2', 'org_3'])
    const traces = seen('traceparent')
    await other.withOptions({ maxRetries: 1 }).organization.get({ headers: { traceparent: 'c' } })
    await other.organization.get()
    expect(traces).toEqual(['c', 'a'])
  })
  test('middleware: runs around each attempt', async () => {
    answer = () => new Response('', { status: asked.length < 2 ? 503 : 200 })
    const attempts: string[] = []
    const svc = client({
      maxRetries: 1,
      async middleware(request: Request, next: (request: Request) => Promise<Response>) {
        attempts.push(`${request.method} ${request.headers.has('authorization')}`)
        const response = await next(request)
        return response.ok ? Response.json({ id: 'org_9' }) : response
      },
    })
    expect((await svc.organization.get()).id).toBe('org_9')
    expect(attempts).toEqual(['GET true', 'GET true'])
  })
  test('fetch is never called as a method', async () => {
    const bound = function (this: unknown, ...request: Parameters<typeof fetch>) {
      if (this !== undefined) throw new TypeError('Illegal invocation')
      return fetch(...request)
    }
    await client({ fetch: bound }).organization.get()
    const error = await failure(
      client({
        maxRetries: 2,
        fetch: () => {
          asked.push('fetch')
          throw new TypeError("Failed to execute 'fetch' on 'Window': Illegal invocation")
        },
      }).organization.get(),
    )
    expect([error.message, asked.length]).toEqual([
      expect.stringContaining('Illegal invocation'),
      2,
    ])
  })
  test('an unknown option, a client header and an invalid time are refused by name', async () => {
    expect(() => client({ timout: 5 })).toThrow('timout')
    expect(() => client({ timeout: -1 })).toThrow('timeout')
    const svc = client()
    const headers = { Authorization: 'x' }
    expect((await failure(svc.organization.get({ headers }))).message).toContain('Authorization')
    const typo = { idempotencykey: 'x' } as object
    expect((await failure(svc.organization.get(typo))).message).toContain('idempotencykey')
    expect(asked).toEqual([])
  })
  test('baseUrl: works with or without /v1', async () => {
    for (const end of ['', '/', '/v1', '/v1/'])
      await client({ baseUrl: base + end }).organization.get()
    expect(new Set(asked)).toEqual(new Set(['GET /v1/organization']))
  })
  test('a deprecation is reported once', async () => {
    const lines: string[] = []
    const warn = (line: string) => void lines.push(line)
    answer = () => Response.json({}, { headers: { sunset: 'Sat, 20 Nov 2027 00:00:00 GMT' } })
    const svc = client({ logger: { error: warn, warn, info: warn, debug: warn } })
    for (let count = 0; count < 3; count++) await svc.usage.get()
    expect(lines).toEqual([expect.stringMatching(/GET \/v1\/usage is deprecated.*2027/)])
  })
})
