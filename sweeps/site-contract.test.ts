// Compares the site API's table to the gateway's responses: every example is sent and every error
// triggered over a real connection, and a validator built from the table checks the responses.
import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { siteTable } from '#contract/site/table.ts'
import { a2aPath } from '#contract/site/a2a.ts'
import { errorBodies } from '#contract/site/errors.ts'
import { type SiteExample, type SiteOperation, siteRefusalsOf } from '#contract/site/operation.ts'
import { type ProblemCodeOf, problems } from '#contract/problems.ts'
import { siteVersion } from '#contract/versions.ts'
import { testDatabase } from '#database/testing/database.ts'
import { openSiteServices } from '#gateway/testing/agents.ts'
import { sampleBuild } from '#gateway/testing/content.ts'
import { serve } from '#http/testing/endpoints.ts'
import { proofPath, statusPath } from '#gateway/static/dynamic.ts'
import { writeSampleSite } from '#gateway/testing/site.ts'
import { allEndpoints, withoutDatabase } from '#gateway/server/endpoints.ts'

const folder = writeSampleSite()
afterAll(() => rmSync(folder, { recursive: true }))
const build = sampleBuild(folder, 40)
const silent = { event() {} }
const site = { current: () => build, isRefusing: () => false, stop() {} }
const database = await testDatabase()
const siteServices = openSiteServices(database)
afterAll(async () => {
  await siteServices.close()
  await database.close()
})
// Pages for people aren't endpoints of the API, so the table omits them.
const pages = new Set<string>(['/search', statusPath, proofPath])
const endpoints = allEndpoints({ site, siteServices, ...withoutDatabase(site, silent) }).filter(
  ({ path }) => !pages.has(path),
)
const open = serve({ endpoints })
const impatient = serve({ endpoints, bodyMilliseconds: 50 })
const rows = Object.entries(siteTable)

const ajv = addFormats(new Ajv({ strict: false }))
const compiled = new Map<object, ValidateFunction>()
function expectShape(schema: object, value: unknown): void {
  // Ajv rejects a name used twice. The names aren't needed, because references are resolved.
  const check = compiled.get(schema) ?? ajv.compile(withoutNames(schema))
  compiled.set(schema, check)
  expect([value, check(value), check.errors ?? null]).toEqual([value, true, null])
}
const withoutNames = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)))

function address({ path }: SiteOperation, { params = {}, query }: Partial<SiteExample>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none')
  return query === undefined ? filled : `${filled}?${query}`
}

function send(row: SiteOperation, example: Partial<SiteExample>, init: RequestInit = {}) {
  const headers = new Headers(example.headers)
  if (row.method === 'POST') headers.set('content-type', 'application/json')
  const body = row.method === 'POST' ? { body: JSON.stringify(example.body ?? {}) } : {}
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
  return open.call(address(row, example), { method: row.method, ...body, ...init, headers })
}

function expectHeaders(answer: Response): void {
  const { headers } = answer
  expect(headers.get('api-version')).toBe(siteVersion)
  expect(headers.get('request-id')).toBeString()
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/)
  }
  expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=60$/)
}

async function expectStated(row: SiteOperation, answer: Response): Promise<unknown> {
  expectHeaders(answer)
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  const stated = row.answers.find(({ status }) => status === answer.status)?.content[type]
  if (stated !== undefined) {
    const body = type.includes('json') ? await answer.json() : await answer.text()
    expectShape(stated.schema, body)
    return body
  }
  const refusal = errorBodies[row.form]
  expect([answer.status >= 400, type]).toEqual([true, refusal.type])
  const body: unknown = await answer.json()
  expectShape(refusal.schema, body)
  return body
}

describe('the table', () => {
  test('has exactly the mounted paths and methods', () => {
    const spelled = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')
    // A URL with a trailing slash is the same URL.
    const mounted = endpoints
      .filter(({ path }) => !path.endsWith('/'))
      .flatMap(({ path, methods }) => methods.map(method => `${method} ${spelled(path)}`))
    const stated = rows.map(([, { method, path }]) => `${method} ${path}`)
    expect(mounted.toSorted()).toEqual(stated.toSorted())
    for (const { path, errorFormat } of endpoints) {
      const bare = spelled(path).replace(/\/$/, '')
      const row = rows.find(([, one]) => one.path === bare)?.[1]
      expect([path, row?.form]).toEqual([path, errorFormat])
    }
  })

  test('a path with a trailing slash isn’t listed, and redirects with method, body and query', async () => {
    for (const [, row] of rows) {
      const path = address(row, {})
      if (path === a2aPath) continue
      const { method } = row
      const init = { method, redirect: 'manual', ...(method === 'POST' && { body: '{}' }) } as const
      const answer = await open.call(`${path}/?a=b`, init)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([
        path,
        308,
        `${path}?a=b`,
      ])
      expectHeaders(answer)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('states the actual limits', () => {
    const text = JSON.stringify(siteTable)
    expect(text).toContain('"maxLength":500')
    expect(text).toContain('"maximum":50,"default":10')
  })
})

const examples = rows.flatMap(([id, row]) =>
  Object.entries(row.examples).map(([name, example]) => [`${id} ${name}`, row, example] as const),
)
describe('each example gets its stated response', () => {
  test.each(examples)('%s', async (_name, row, example) => {
    const answer = await send(row, example)
    expect(answer.status).toBe(example.status)
    await expectStated(row, answer)
    const head = row.method === 'GET' ? await send(row, example, { method: 'HEAD' }) : undefined
    if (head !== undefined) expect([head.status, await head.text()]).toEqual([example.status, ''])
  })
})

/** A valid request, to which a trigger adds a single fault. */
const good = (row: SiteOperation): SiteExample =>
  Object.values(row.examples).find(({ status }) => status < 300) ?? { summary: '', status: 200 }

/** Triggers for errors. Errors without a trigger would require a fault on our side. */
const provoke: Partial<Record<ProblemCodeOf<'site'>, (row: SiteOperation) => Promise<Response>>> = {
  unsupported_api_version: row =>
    send(row, good(row), { headers: { 'api-version': '1999-01-01' } }),
  idempotency_key_invalid: row => send(row, good(row), { headers: { 'idempotency-key': 'a b' } }),
  payload_too_large: row => send(row, good(row), { body: `{"pad":"${'x'.repeat(65_536)}"}` }),
  unsupported_media_type: row =>
    send(row, good(row), { headers: { 'content-type': 'text/plain' } }),
  cross_site_request: row => send(row, good(row), { headers: { 'sec-fetch-site': 'cross-site' } }),
  request_timeout: row => dripping(address(row, good(row))),
  rate_limited: async row => {
    const { call } = serve({ endpoints, requests: 1 })
    await call('/ask')
    return call(address(row, good(row)), { method: row.method })
  },
}
const refusals = rows.flatMap(([id, row]) =>
  siteRefusalsOf(row).flatMap(code => {
    const cause = provoke[code]
    return cause === undefined ? [] : [[`${id} ${code}`, row, code, cause] as const]
  }),
)
describe('each error matches the table', () => {
  test.each(refusals)('%s', async (_name, row, code, cause) => {
    const answer = await cause(row)
    expect(answer.status).toBe(problems[code].status)
    expect(JSON.stringify(await expectStated(row, answer))).toContain(code)
    if (code === 'rate_limited') expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 61)
  })

  test('each row’s own errors all appear in its examples', () => {
    for (const [id, row] of rows) {
      const shown = new Set(Object.values(row.examples).map(({ status }) => status))
      const wanted = (row.refuses ?? []).filter(code => !(code in provoke))
      for (const code of wanted) {
        expect([id, code, shown.has(problems[code].status)]).toEqual([id, code, true])
      }
    }
  })
})

/** A caller whose body never ends. */
function dripping(path: string): Promise<Response> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(impatient.port, '127.0.0.1', () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Content-Length: 100\r\n\r\n{`)
    })
    socket.on('data', bytes => (received += bytes.toString()))
    socket.on('error', () => {})
    socket.on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line): [string, string] => {
        const [name = '', ...rest] = line.split(': ')
        return [name, rest.join(': ')]
      })
      resolve(new Response(body, { status: Number(first.split(' ')[1]), headers }))
    })
  })
}
