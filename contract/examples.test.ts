// Validates every example with a library that wasn't used to write the schemas.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'bun:test'
import { operationIds, table } from './api.ts'
import { openapi, problemBody } from './derive/clinical.ts'
import { answerExample, requestExamples } from './examples.ts'
import { invalidQuery, refusals } from './examples/problems.ts'
import { schemaExamples } from './examples/schemas.ts'
import { momentOf } from './ids.ts'
import { isWrite, type Operation } from './operation.ts'
import { problemCodesOf } from './problems.ts'

type Media = { schema: object; examples?: object; example?: unknown }
type Content = { content: Record<string, Media> }
type Published = {
  paths: Record<
    string,
    Record<string, { requestBody?: Content; responses: Record<string, Content> }>
  >
  components: { schemas: Record<string, object> }
}

// Converted to JSON, as published, so that only JSON Schema is left.
const document = JSON.parse(JSON.stringify(openapi(table))) as Published
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
addFormats.default(ajv)
ajv.addVocabulary(['x-open-enum', 'x-earliest', 'x-latest'])

const local = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('#/components/schemas/', 'contract#/$defs/'),
  ) as object
ajv.addSchema({ $id: 'contract', $defs: local(document.components.schemas) })

const checked = new Map<object, ValidateFunction>()
function faults(schema: object, value: unknown) {
  let validate = checked.get(schema)
  if (!validate) checked.set(schema, (validate = ajv.compile(local(schema))))
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const rows: [string, Operation][] = operationIds.map(id => [id, table[id]])
const operationOf = (row: Operation) => {
  const found = document.paths[row.path]?.[row.method.toLowerCase()]
  if (!found) throw new Error(`${row.method} ${row.path} is not in the document`)
  return found
}

test('examples: every named schema accepts its example', () => {
  // List and problem examples are on the responses.
  const expected = Object.keys(document.components.schemas).filter(
    name => !['List', 'Problem'].includes(name),
  )
  expect(Object.keys(schemaExamples).toSorted()).toEqual(expected.toSorted())
  for (const name of expected)
    expect([name, faults(named(name), schemaExamples[name])]).toEqual([name, []])
})

/** Yields every schema with a default inside a part of the document. */
function* withDefault(part: unknown): Generator<{ default: unknown; type: unknown }> {
  if (typeof part !== 'object' || part === null) return
  if ('default' in part && 'type' in part) yield part
  for (const inner of Object.values(part)) yield* withDefault(inner)
}

test('defaults: each is accepted by its own schema', () => {
  const found = [...withDefault(document.paths)]
  expect(found.length).toBeGreaterThan(0)
  for (const schema of found) expect(faults(schema, schema.default)).toEqual([])
})

test('examples: this test’s validator rejects invalid values', () => {
  expect(faults(named('Tracking'), { carrier: 'mule', number: '', url: null }).length).toBe(2)
  expect(faults(named('Patient'), {}).length).toBeGreaterThan(10)
})

test.each(rows)('%s: its body schema accepts its request examples', (id, row) => {
  const examples = Object.values(requestExamples(id))
  if (row.body === undefined || row.body === 'none') {
    expect(operationOf(row).requestBody).toBeUndefined()
    return
  }
  const media = operationOf(row).requestBody?.content['application/json']
  expect(examples.length).toBeGreaterThan(0)
  for (const example of examples) expect(faults(media?.schema ?? {}, example)).toEqual([])
  expect(faults(media?.schema ?? {}, { nobody_has_this: 1 })).not.toEqual([])
})

test.each(rows)('%s: its schema accepts its response example', (id, row) => {
  const media = operationOf(row).responses[String(row.status)]?.content['application/json']
  const example = answerExample(id, row.returns)
  expect(example).toBeDefined()
  expect(faults(media?.schema ?? {}, example)).toEqual([])
  expect(media?.example).toEqual(JSON.parse(JSON.stringify(example)))
  const isList = Object.hasOwn(row.returns, 'x-list')
  if (isWrite(row) && !isList) expect(media?.schema).not.toHaveProperty('allOf')
})

test.each(problemCodesOf('v1'))('%s: its example is a Problem', code => {
  const body = problemBody(code, refusals[code], 'https://api.example.com')
  expect(faults(named('Problem'), body)).toEqual([])
})

test('invalid_request: the example for reads is a Problem about the query', () => {
  const body = problemBody('invalid_request', invalidQuery, 'https://api.example.com')
  expect(faults(named('Problem'), body)).toEqual([])
})

/** Yields every object inside a value that has an ID and a creation time. */
function* created(value: unknown): Generator<{ id: string; created_at: string }> {
  if (typeof value !== 'object' || value === null) return
  const { id, created_at } = value as Record<string, unknown>
  if (typeof id === 'string' && typeof created_at === 'string') yield { id, created_at }
  for (const inner of Object.values(value)) yield* created(inner)
}

test("examples: an ID encodes its resource's creation time", () => {
  const all = [schemaExamples, ...rows.map(([id, row]) => answerExample(id, row.returns))]
  for (const { id, created_at } of all.flatMap(one => [...created(one)])) {
    const [prefix = '', rest = ''] = id.split('_')
    expect(`${prefix} ${rest.slice(0, 10)}`).toBe(`${prefix} ${momentOf(Date.parse(created_at))}`)
  }
})
