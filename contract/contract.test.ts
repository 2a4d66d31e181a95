// Checks every row in the clinical API: published counts, existing names, conventions.

import { expect, test } from 'bun:test'
import { operationIds, table } from './api.ts'
import { callable, callableIds } from './callable.ts'
import { tags } from './tags.ts'
import { openapi } from './derive/clinical.ts'
import { nounOf } from './derive/names.ts'
import { eventTypes } from './events.ts'
import {
  type CredentialOperation,
  everyRefusal,
  isWrite,
  pathNames,
  writeRefusal,
} from './operation.ts'
import { previewIds, previewTable } from './preview/operations.ts'
import { previewTags } from './tags.ts'
import { problemCodesOf } from './problems.ts'
import { allScopes } from './scopes.ts'

/** The 33 schemas that are published by name. */
const schemaNames = new Set(
  (
    'Organization Medication Address Patient Consent Case RequestedMedication Answer PlanLine ' +
    'Message Prescription Order Tracking Visit SlotList JoinLink File FileUpload Export ' +
    'ExportBundle Charge Usage Invoice Event WebhookEndpoint Delivery RealtimeToken Autopilot ' +
    'SandboxReset Deleted Problem FieldError List'
  ).split(' '),
)

const rows: [string, CredentialOperation][] = callableIds.map(id => [id, callable[id]])
const components = Object.keys(
  (openapi(table)['components'] as { schemas: Record<string, unknown> }).schemas,
)

/** Lists every export of the table's files, to find a row or schema that the table omits. */
async function exportsOf(folder: string): Promise<[string, Record<string, unknown>][]> {
  const exported: [string, Record<string, unknown>][] = []
  for (const file of new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/${folder}`)) {
    if (file === 'operations.ts') continue
    const module = (await import(`./${folder}/${file}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'object' || value === null) continue
      exported.push([`${file} ${name}`, value as Record<string, unknown>])
    }
  }
  return exported
}
const exported = await exportsOf('api')

const isRow = (value: unknown) =>
  typeof value === 'object' && value !== null && 'method' in value && 'summary' in value

test('contract: has 65 operations, 33 schemas, 27 problem codes, 32 event types and 12 scopes', () => {
  expect(operationIds.length).toBe(65)
  expect(problemCodesOf('v1').length).toBe(27)
  expect(eventTypes.length).toBe(32)
  expect(new Set(eventTypes).size).toBe(32)
  expect(allScopes.length).toBe(12)
  expect(schemaNames.size).toBe(33)
})

const rowsIn = (all: typeof exported) =>
  all.flatMap(([, value]) => Object.entries(value).flatMap(([id, row]) => (isRow(row) ? [id] : [])))

test('contract: every row in contract/api and contract/preview is in its table, once', async () => {
  expect(rowsIn(exported).toSorted()).toEqual([...operationIds].toSorted())
  expect(rowsIn(await exportsOf('preview')).toSorted()).toEqual([...previewIds].toSorted())
  const routes = rows.map(([, row]) => `${row.method} ${row.path}`)
  expect(new Set(routes).size).toBe(routes.length)
})

test('contract: rows are grouped by tag, in published order', () => {
  for (const [of, all] of [
    [tags, table],
    [previewTags, previewTable],
  ] as const) {
    const order: string[] = Object.keys(of)
    const positions = Object.values(all).map(row => order.indexOf(row.tag))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  }
})

test('contract: no preview path is under /v1, and no tool offers it', () => {
  for (const id of previewIds) {
    expect(previewTable[id].path).toStartWith('/preview/')
    expect(previewTable[id].tool).toBeFalse()
  }
  for (const id of operationIds) expect(table[id].path).toStartWith('/v1/')
})

test.each(rows)('%s: lists only existing refusal codes and event types, each once', (_id, row) => {
  const refuses = row.refuses ?? []
  const common: ReadonlySet<string> = new Set<string>([
    ...everyRefusal,
    ...(isWrite(row) ? writeRefusal : []),
    ...(pathNames(row.path).length > 0 ? ['not_found'] : []),
    // The router returns this code before it finds an operation.
    'method_not_allowed',
  ])
  expect(refuses.filter(code => !problemCodesOf('v1').includes(code) || common.has(code))).toEqual(
    [],
  )
  expect(new Set(refuses).size).toBe(refuses.length)
  const emits = row.emits ?? []
  expect(emits.filter(type => !eventTypes.includes(type))).toEqual([])
  expect(new Set(emits).size).toBe(emits.length)
  if (!isWrite(row)) expect(emits).toEqual([])
})

test.each(rows)('%s: follows the conventions for its method, scope and mode', (_id, row) => {
  expect(allScopes).toContain(row.scope)
  expect(row.mode === 'test').toBe(/^\/(v1|preview)\/test\//.test(row.path))
  expect(row.scope === 'test:manage').toBe(row.mode === 'test')
  expect(isWrite(row)).toBe(row.body !== undefined)
  if (isWrite(row)) expect(row.query).toBeUndefined()
  expect(row.summary).toMatch(/^[A-Z].*\.$/)
})

test.each(rows)('%s: names each ID in its path after the collection before it', (_id, row) => {
  for (const name of pathNames(row.path)) {
    expect(() => nounOf(row.path, name)).not.toThrow()
    // Other than `id`, the only IDs in paths are a catalog entry's and a patient export's.
    expect(['id', 'medication_id', 'job']).toContain(name)
  }
})

test('contract: publishes exactly the 33 named schemas, each defined once and used', () => {
  const named = exported.flatMap(([, value]) =>
    typeof value['$id'] === 'string' ? [value['$id']] : [],
  )
  expect(new Set(named).size).toBe(named.length)
  expect(named.filter(name => !components.includes(name))).toEqual([])
  expect(components.toSorted()).toEqual([...schemaNames].toSorted())
})
