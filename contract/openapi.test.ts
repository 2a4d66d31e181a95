// The clinical API's OpenAPI document: a linter accepts it, and it agrees with the table.

import { expect, test } from 'bun:test'
import path from 'node:path'
import { parse } from 'yaml'
import { operationIds, table } from './api.ts'
import { openapi } from './derive/clinical.ts'
import { waits } from './derive/refusals.ts'
import { openapiYaml } from './derive/yaml.ts'
import { documents } from './derive/documents.ts'
import { eventTypes } from './events.ts'
import { deviceGrant } from './oauth.ts'
import { isWrite, pathNames, refusalsOf } from './operation.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'

type Response = {
  description: string
  headers: Record<string, unknown>
  content: Record<string, { schema: object; examples: Record<string, { $ref: string }> }>
}
type Entry = {
  operationId: string
  tags: string[]
  security: object[]
  'x-sdk-name': string
  parameters: { name?: string; $ref?: string }[]
  responses: Record<string, Response & { $ref?: string }>
}
type Scheme = { type: string; scheme?: string; description: string; flows?: object }
type Published = {
  info: object
  paths: Record<string, Record<string, Entry>>
  components: { responses: Record<string, Response> }
}

const root = path.dirname(import.meta.dir)
const text = documents['openapi.v1.json']()
const document = JSON.parse(text) as Published
const entries = Object.values(document.paths).flatMap(methods => Object.values(methods))

// Disables usage reports and update checks, so linting needs no network.
const quiet = ['env', 'REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true']

async function run(command: string[]) {
  const child = Bun.spawn([...quiet, process.execPath, ...command], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, output: `${out}${err}` }
}

/** Returns the part of the document that a reference points to. */
const at = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, step) => (part as Record<string, unknown> | undefined)?.[step],
      document,
    )

test('each event type is a webhook whose data is its resource', () => {
  const { webhooks } = JSON.parse(text) as { webhooks: Record<string, { post: object }> }
  expect(Object.keys(webhooks)).toEqual([...eventTypes])
  const { post } = webhooks['order.shipped.v1'] ?? {}
  expect(post).toMatchObject({
    operationId: 'onOrderShipped',
    requestBody: {
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Event' },
              {
                properties: {
                  type: { const: 'order.shipped.v1' },
                  data: { $ref: '#/components/schemas/Order' },
                },
              },
            ],
          },
        },
      },
    },
  })
})

test('clinical OpenAPI document: Redocly reports no errors or warnings', async () => {
  const redocly = path.join(root, 'node_modules/.bin/redocly')
  const file = 'contract/generated/openapi.v1.json'
  const { code, output } = await run([
    '--bun',
    redocly,
    'lint',
    file,
    '--config=contract/redocly.yaml',
  ])
  expect(output).not.toMatch(/\bwarnings?\b|\berrors?\b/i)
  expect(code).toBe(0)
}, 60_000)

test('OpenAPI document: the committed file is up to date', async () => {
  const { code, output } = await run(['contract/generate.ts', '--check'])
  expect(output).toBe('')
  expect(code).toBe(0)
})

test('documents: have the same bytes each time they are built', () => {
  for (const make of Object.values(documents)) expect(make()).toBe(make())
})

test('OpenAPI document: the YAML document equals the JSON document for YAML 1.1 and 1.2 readers', () => {
  const yaml = openapiYaml(text)
  const { 'x-generated-by': notice, ...json } = JSON.parse(text) as Record<string, unknown>
  expect(yaml).toStartWith(`# ${String(notice)}\nopenapi: `)
  for (const version of ['1.1', '1.2'] as const) {
    expect(parse(yaml, { version })).toEqual(json)
  }
  expect(Bun.YAML.parse(yaml)).toEqual(json)
}, 60_000)

test('clinical OpenAPI document: has exactly one operation per row', () => {
  expect(entries.map(entry => entry.operationId)).toEqual(operationIds)
  const names = entries.map(entry => entry['x-sdk-name'])
  expect(new Set(names).size).toBe(names.length)
})

test('clinical OpenAPI document: every reference resolves and every component is used', () => {
  const references = new Set([...text.matchAll(/"\$ref": "([^"]+)"/g)].map(found => found[1] ?? ''))
  expect([...references].filter(reference => at(reference) === undefined)).toEqual([])
  const { securitySchemes: _, ...components } = at('#/components') as Record<string, object>
  const stated = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map(name => `#/components/${kind}/${name}`),
  )
  expect(stated.filter(reference => !references.has(reference))).toEqual([])
})

test.each(operationIds)('%s: documents exactly the statuses its row may return', id => {
  const row = table[id]
  const entry = entries.find(one => one.operationId === id)
  const codes = refusalsOf(row)
  const statuses = new Set([
    row.status,
    ...(row.hasETag ? [304] : []),
    ...codes.map(code => problems[code].status),
  ])
  expect(Object.keys(entry?.responses ?? {}).map(Number)).toEqual(
    [...statuses].toSorted((a, b) => a - b),
  )
  expect('404' in (entry?.responses ?? {})).toBe(pathNames(row.path).length > 0)
  for (const [status, reference] of Object.entries(entry?.responses ?? {})) {
    if (Number(status) < 400) continue
    const response = at(reference.$ref ?? '') as Response
    const media = response.content['application/problem+json']
    const expected = codes.filter(code => problems[code].status === Number(status))
    expect(Object.keys(media?.examples ?? {})).toEqual(expected)
    expect(media?.schema).toEqual({ $ref: '#/components/schemas/Problem' })
    for (const code of expected) {
      expect(response.description).toContain(`\`${code}\``)
      const { value } = at(media?.examples[code]?.$ref ?? '') as { value: object }
      expect(value).toMatchObject({ code, status: Number(status) })
    }
    const isRetryable = expected.some(code => waits.includes(code))
    expect('Retry-After' in response.headers).toBe(isRetryable)
    const challenged = ['401', '403'].includes(status)
    expect('WWW-Authenticate' in response.headers).toBe(challenged)
  }
})

test.each(operationIds)('%s: documents its headers, parameters and scope', id => {
  const row = table[id]
  const entry = entries.find(one => one.operationId === id)
  const names = (entry?.parameters ?? []).map(one => one.name ?? one.$ref?.split('/').at(-1))
  expect(names.includes('Idempotency-Key')).toBe(isWrite(row))
  expect(names).toContain('Service-Organization')
  expect(names).toContain('API-Version')
  for (const name of [...pathNames(row.path), ...Object.keys(row.query?.properties ?? {})]) {
    expect(names).toContain(name)
  }
  expect(entry?.security).toEqual([{ bearer: [row.scope] }, { oauth2: [row.scope] }])
  const answer = entry?.responses[String(row.status)]
  expect('Idempotent-Replayed' in (answer?.headers ?? {})).toBe(isWrite(row))
})

test('clinical OpenAPI document: a created resource has Location if it can be read by ID', () => {
  const located = entries.filter(entry => 'Location' in (entry.responses['201']?.headers ?? {}))
  const ids = located.map(entry => entry.operationId)
  expect(ids).toContain('createPatient')
  expect(ids).toContain('createCase')
  // Consents and messages can only be read in lists.
  expect(ids).not.toContain('recordConsent')
  expect(ids).not.toContain('createMessage')
})

test('clinical OpenAPI document: request bodies are inline, and no internal keyword is published', () => {
  const published = JSON.stringify(openapi(table))
  expect(published).not.toContain('"$id"')
  expect(published).not.toMatch(/"x-(cursor|list)"/)
  const bodies = [
    ...published.matchAll(
      /"requestBody":\{"required":(?:true|false),"content":\{"application\/json":\{"schema":(\{"\$ref|\{"type":"object")/g,
    ),
  ]
  expect(bodies.length).toBeGreaterThan(0)
  expect(bodies.filter(found => found[1]?.includes('$ref'))).toEqual([])
})

test('clinical OpenAPI document: the flows point to the authorization server, with every scope', () => {
  const { bearer, oauth2 } = at('#/components/securitySchemes') as Record<string, Scheme>
  expect(bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(oauth2?.type).toBe('oauth2')
  const token = 'https://auth.example.com/api/auth/oauth2/token'
  const authorize = 'https://auth.example.com/api/auth/oauth2/authorize'
  expect(oauth2?.flows).toEqual({
    clientCredentials: { tokenUrl: token, scopes },
    authorizationCode: { authorizationUrl: authorize, tokenUrl: token, refreshUrl: token, scopes },
  })
  // OpenAPI 3.1 has no device flow.
  expect(oauth2?.description).toContain('https://auth.example.com/api/auth/device/code')
  expect(oauth2?.description).toContain(deviceGrant)
})

test('clinical OpenAPI document: other base URLs change nothing else', () => {
  // One URL contains the other, and one is also an example URL.
  const addresses = { api: 'https://auth.example.com', auth: 'https://auth.example.com:3001' }
  const there = JSON.stringify(openapi(table, addresses))
  expect(there).toContain('"https://auth.example.com:3001/api/auth/oauth2/token"')
  expect(there).not.toContain('https://api.example.com')
  const back = there.replaceAll(/https:\/\/auth\.example\.com(:3001)?/g, (_, port?: string) =>
    port === undefined ? 'https://api.example.com' : 'https://auth.example.com',
  )
  expect(back).toBe(JSON.stringify(openapi(table)))
})
