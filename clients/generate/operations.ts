// Each contract operation as a client method.

import { type operationIds, table } from '#contract/api.ts'
import { nounOf, sdkName } from '#contract/derive/names.ts'
import type { EventType } from '#contract/events.ts'
import { answerExample, requestExamples, rivera } from '#contract/examples.ts'
import { ids } from '#contract/examples/resources.ts'
import type { Noun } from '#contract/ids.ts'
import {
  type CredentialOperation,
  isWrite,
  type Operation,
  pathNames,
} from '#contract/operation.ts'
import type { Scope } from '#contract/scopes.ts'
import { paramsNameOf } from './names.ts'
import { nounOfPattern, type Shapes, type TypeReference } from './shapes.ts'

/** A name in a path's braces, and the argument that fills it. */
export type PathParameter = {
  readonly name: string
  readonly noun: Noun
  /** The argument in snake_case: `case_id`. */
  readonly argument: string
  readonly example: string
}

/** An operation's input apart from its path: one object, sent as the query or as the body. */
export type Parameters = {
  readonly in: 'query' | 'body'
  readonly type: string
  readonly isRequired: boolean
}

export type Result =
  | { readonly kind: 'resource'; readonly type: string }
  /** A page of a list. `cursor` is the item field to pass as `starting_after`. */
  | { readonly kind: 'page'; readonly item: string; readonly cursor: string }
  /** A complete list. */
  | { readonly kind: 'list'; readonly item: string }
  /** Bytes returned unchanged. `type` is the type of their parsed contents. */
  | { readonly kind: 'download'; readonly type: string }

export type OperationModel = {
  readonly id: string
  /** `['test', 'cases']` for `test.cases.decide`. */
  readonly resource: readonly string[]
  /** `decide`, in camelCase. */
  readonly verb: string
  readonly method: Operation['method']
  readonly path: string
  readonly tag: string
  readonly isWrite: boolean
  readonly pathParameters: readonly PathParameter[]
  readonly parameters: Parameters | null
  readonly result: Result
  /** The field of the result, or of each item, that equals the path's last ID. */
  readonly echoes: string | null
  readonly status: number
  readonly scope: Scope
  readonly isTestOnly: boolean
  readonly emits: readonly EventType[]
  /** The operation's own codes, beyond those that every operation or every write may return. */
  readonly refusals: readonly string[]
  readonly summary: string
  readonly description: string
  /**
   * The parameters of valid example requests, by example name; empty if the operation has no
   * parameters.
   */
  readonly examples: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

function parametersOf(row: Operation, type: string, shapes: Shapes): Parameters | null {
  const body = row.body === 'none' ? undefined : row.body
  const schema = body ?? row.query
  if (schema === undefined) return null
  shapes.add(type, schema, true)
  return {
    in: body === undefined ? 'query' : 'body',
    type,
    isRequired: (schema.required ?? []).length > 0,
  }
}

type Node = Readonly<Record<string, unknown>>

function cursorOf(row: Operation, item: Node): string {
  const noun = nounOfPattern((row.query?.properties['starting_after'] ?? {}) as Node)
  const fields = Object.entries(item['properties'] as Readonly<Record<string, Node>>)
  const [name] =
    fields.find(([, field]) => noun !== undefined && nounOfPattern(field) === noun) ?? []
  if (name === undefined) throw new Error(`${row.path}: no field of an item is its cursor`)
  return name
}

function resultOf(row: Operation, shapes: Shapes): Result {
  const returns = row.returns as Node
  const place = { parent: String(returns['$id'] ?? ''), field: 'data', isInput: false }
  const nameOf = (type: TypeReference) => (type.kind === 'named' ? type.name : '')
  if (returns['x-list'] !== true) {
    const type = nameOf(shapes.refer(returns, place))
    return row.hasETag === true ? { kind: 'download', type } : { kind: 'resource', type }
  }
  const { data } = returns['properties'] as { data: { items: Node } }
  const item = nameOf(shapes.refer(data.items, place))
  if (isWrite(row)) return { kind: 'list', item }
  return { kind: 'page', item, cursor: cursorOf(row, data.items) }
}

/** In live mode, a confirmed file has a different ID from its reservation. */
const newIds: ReadonlySet<string> = new Set(['confirmFile'])

/**
 * The response field that must equal the path's last ID. A different ID reveals a mixed-up
 * response.
 */
export function echoOf(id: string, row: CredentialOperation): string | null {
  const last = pathNames(row.path).at(-1)
  const isDownload = 'hasETag' in row && row.hasETag === true
  if (last === undefined || newIds.has(id) || isDownload) return null
  const returns = row.returns as Node & { properties: Record<string, Node> }
  const data = returns.properties['data'] as { items: { properties: Record<string, Node> } }
  const fields = returns['x-list'] === true ? data.items.properties : returns.properties
  const noun = nounOf(row.path, last)
  const [echo] = Object.entries(fields).find(([, field]) => nounOfPattern(field) === noun) ?? []
  return echo ?? (row.method === 'DELETE' ? 'id' : null)
}

/** Queries for lists that need a parameter. */
const queryExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  listSlots: { of_a_state: { state: rivera.address.state } },
}

/** One operation's method; its types are added to `shapes`. */
export function operationOf(id: (typeof operationIds)[number], shapes: Shapes): OperationModel {
  const row = table[id]
  const resource = sdkName(id, row.path).split('.')
  const verb = resource.pop() ?? ''
  const result = resultOf(row, shapes)
  return {
    id,
    resource,
    verb,
    method: row.method,
    path: row.path,
    tag: row.tag,
    isWrite: isWrite(row),
    pathParameters: pathNames(row.path).map(name => pathParameter(row.path, name)),
    parameters: parametersOf(row, paramsNameOf(resource, verb), shapes),
    result,
    echoes: echoOf(id, row),
    status: row.status,
    scope: row.scope,
    isTestOnly: row.mode === 'test',
    emits: row.emits ?? [],
    refusals: [...(row.path.includes('{') ? ['not_found'] : []), ...(row.refuses ?? [])],
    summary: row.summary,
    description: row.description ?? '',
    examples: queryExamples[id] ?? requestExamples(id),
    answer: answerExample(id, row.returns),
  }
}

function pathParameter(path: string, name: string): PathParameter {
  const noun = nounOf(path, name)
  const example = new Map<string, string>(Object.entries(ids)).get(noun) ?? ''
  return { name, noun, argument: `${noun}_id`, example }
}
