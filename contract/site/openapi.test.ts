// The site API's OpenAPI document: a linter accepts it, and it agrees with the table.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { siteOpenapi } from '../derive/site.ts'
import { siteTable } from './table.ts'
import { siteRefusalsOf } from './operation.ts'
import { problems } from '../problems.ts'

const root = path.join(import.meta.dir, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'site-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

const owner = { name: 'Rivera', site: 'https://rivera.example.org', email: 'a@example.org' }
const text = JSON.stringify(siteOpenapi(siteTable, owner))
type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Body = { content: Record<string, Media>; headers: Record<string, object> }
type Entry = {
  operationId: string
  parameters: { name?: string }[]
  requestBody?: Body & { required: boolean }
  responses: Record<string, Body>
}
const document: {
  paths: Record<string, Record<string, Entry>>
  components: Record<string, Record<string, Body & { schema: object }>>
} = JSON.parse(text)
const rows = Object.entries(siteTable)

test('site OpenAPI document: Redocly reports no errors or warnings', async () => {
  const file = path.join(folder, 'openapi.json')
  await Bun.write(file, text)
  const redocly = path.join(root, 'node_modules/.bin/redocly')
  const config = `--config=${path.join(root, 'contract/redocly.yaml')}`
  const quiet = ['env', 'REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true']
  const command = [...quiet, process.execPath, '--bun', redocly, 'lint', file, config]
  const lint = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const output = await Promise.all(
    [lint.stdout, lint.stderr].map(part => new Response(part).text()),
  )
  expect(output.join('')).not.toMatch(/\bwarnings?\b|\berrors?\b/i)
  expect(await lint.exited).toBe(0)
}, 60_000)

test('site OpenAPI document: has exactly one operation per row', () => {
  const ids = Object.values(document.paths).flatMap(methods =>
    Object.values(methods).map(entry => entry.operationId),
  )
  expect(ids.toSorted()).toEqual(Object.keys(siteTable).toSorted())
})

test('site OpenAPI document: every reference resolves and every component except parameters is used', () => {
  const used = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(found => found[1]),
  )
  const stated = Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.keys(parts).map(name => `${kind}/${name}`),
  )
  expect([...used].filter(name => !stated.includes(name ?? ''))).toEqual([])
  expect(stated.filter(name => !used.has(name) && !name.startsWith('parameters/'))).toEqual([])
  expect(text).not.toContain('"$id"')
})

test.each(rows)('%s: documents every status it may return', (id, row) => {
  const entry = document.paths[row.path]?.[row.method.toLowerCase()]
  const statuses = new Set([
    ...row.answers.map(({ status }) => status),
    ...siteRefusalsOf(row).map(code => problems[code].status),
  ])
  expect(entry?.operationId).toBe(id)
  expect(
    Object.keys(entry?.responses ?? {})
      .map(Number)
      .toSorted(),
  ).toEqual([...statuses].toSorted())
  for (const { status } of Object.values(row.examples)) expect(statuses).toContain(status)
})

test('site OpenAPI document: a question may be in the URL, and a cancellation needs no body', () => {
  const optional = rows
    .filter(([, { path, method }]) => {
      const body = document.paths[path]?.[method.toLowerCase()]?.requestBody
      return body?.required === false
    })
    .map(([id]) => id)
  expect(optional.toSorted()).toEqual(['askByPost', 'cancelCheckoutSession'])
  const names = document.paths['/ask']?.['post']?.parameters.map(({ name }) => name)
  expect(names).toContain('query')
})

test('site OpenAPI document: every example fits its schema', () => {
  const ajv = addFormats(new Ajv({ strict: false }))
  ajv.addSchema(document, 'site')
  const bodies = [
    ...Object.values(document.components['responses'] ?? {}),
    ...Object.values(document.paths).flatMap(methods =>
      Object.values(methods).flatMap(entry => [
        ...(entry.requestBody ? [entry.requestBody] : []),
        ...Object.values(entry.responses).filter(body => body.content !== undefined),
      ]),
    ),
  ]
  let count = 0
  for (const media of bodies.flatMap(body => Object.values(body.content))) {
    const resolved = JSON.parse(
      JSON.stringify(media.schema).replaceAll('"#/components', '"site#/components'),
    )
    const check = ajv.compile(resolved)
    const examples = Object.values(media.examples ?? {}).map(({ value }) => value)
    for (const value of media.example === undefined ? examples : [media.example, ...examples]) {
      expect([value, check(value), check.errors ?? null]).toEqual([value, true, null])
      count++
    }
  }
  expect(count).toBeGreaterThan(10)
})
