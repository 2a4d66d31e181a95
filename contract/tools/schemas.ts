// A tool's schemas, computed from its operation: its arguments in one closed object, and the shape
// of its response. Arguments and response are plain JSON Schema with keywords that every draft
// since 7 has. Decided in docs/decisions/0104-fit-the-tools-in-twelve-thousand-tokens.md.

import type { CredentialOperation } from '../operation.ts'
import { isWrite, pathNames } from '../operation.ts'
import { idPattern, prefixes } from '../ids.ts'
import { limits } from '../limits.ts'
import { operationIds, table } from '../api.ts'
import { nounOf } from '../derive/names.ts'
import { readScopeOf } from '../derive/read-scopes.ts'
import { isNode, type Node } from '../derive/schemas.ts'
import { toolNameOf } from './names.ts'

export type ObjectSchema = {
  readonly type: 'object'
  /** The name of the resource's schema, in an output schema. The named schema has the types of the
   *  fields. */
  readonly title?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

/** The argument with the Idempotency-Key, on every write. */
export const keyArgument = 'idempotency_key'

const idempotencyKey: Node = {
  type: 'string',
  pattern: `^[!-~]{1,${limits.idempotencyKeyLengthMax}}$`,
  description: 'A new UUID. Reuse it only to retry this call.',
}

/** An argument's place in a request to the API. */
type ArgumentPlace = 'path' | 'query' | 'body' | 'key'

export type ToolInput = {
  readonly schema: ObjectSchema
  /** The place of each argument, by name. */
  readonly places: ReadonlyMap<string, ArgumentPlace>
}

type Group = readonly [place: ArgumentPlace, schema: ObjectSchema]

/** Path, query and body in one flat object, with their names in the API. */
export function inputOf(operation: CredentialOperation): ToolInput {
  const { path, query, body } = operation
  const groups: Group[] = [
    ['path', closed(Object.fromEntries(pathNames(path).map(name => [name, idIn(path, name)])))],
    ['query', objectOf(query)],
    ['body', objectOf(body === 'none' ? undefined : body)],
    ['key', closed(isWrite(operation) ? { [keyArgument]: idempotencyKey } : {})],
  ]
  const properties: Record<string, Node> = {}
  const required: string[] = []
  const places = new Map<string, ArgumentPlace>()
  for (const [place, schema] of groups) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (places.has(name)) {
        throw new Error(`${path}: both ${place} and ${places.get(name)} have an argument ${name}`)
      }
      places.set(name, place)
      properties[name] = property
    }
    required.push(...(schema.required ?? []))
  }
  const all = required.length === 0 ? {} : { required }
  return { schema: { type: 'object', properties, ...all, additionalProperties: false }, places }
}

/** The exact pattern of an ID in a path. */
export const patternIn = (path: string, name: string): string =>
  idPattern(prefixes[nounOf(path, name)])

const idIn = (path: string, name: string): Node => ({
  type: 'string',
  pattern: shortIdPattern(patternIn(path, name)),
})

/** A shorter pattern: the prefix shows the kind, and the server checks the rest. The exact pattern
 *  takes 50% more tokens. */
const shortIdPattern = (pattern: string) =>
  pattern.replace('[0-7][0-9a-hjkmnp-tv-z]{25}', '[0-9a-z]{26}')

const closed = (properties: Readonly<Record<string, Node>>): ObjectSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** An object from the table as plain JSON, with tool names instead of paths. Leaves out our
 *  validator's own keywords, and the paging descriptions, which the server's instructions cover. */
function objectOf(schema: object | undefined): ObjectSchema {
  if (schema === undefined) return { type: 'object', properties: {} }
  return JSON.parse(JSON.stringify(schema, plain)) as ObjectSchema
}

const pageArguments: ReadonlySet<string> = new Set(['limit', 'starting_after'])

function plain(name: string, value: unknown): unknown {
  if (isOwnKeyword(name)) return undefined
  // `example` is a keyword in OpenAPI but not in JSON Schema.
  if (name === 'example' && !isNode(value)) return undefined
  if (name === 'description' && typeof value === 'string') return withToolNames(value)
  if (name === 'pattern' && typeof value === 'string') return shortIdPattern(value)
  if (!pageArguments.has(name) || !isNode(value)) return value
  const { description: _description, ...schema } = value
  return schema
}

const isOwnKeyword = (name: string) => name === '$id' || /^x-[a-z-]+$/.test(name)

/** Turns `GET /v1/medications` into list_medications. */
const withToolNames = (text: string): string =>
  text.replaceAll(/(?:GET|POST|PATCH|DELETE) \/v1[\w/{}]*/g, call => {
    const id = operationIds.find(each => `${table[each].method} ${table[each].path}` === call)
    return id === undefined ? call : toolNameOf(id, table[id].path)
  })

const titleOf = (schema: object) =>
  '$id' in schema && typeof schema.$id === 'string' ? { title: schema.$id } : {}

/** A response's shape: the resource's fields, or those of each list item. Decision 0104 explains
 *  the omissions. The schema isn't closed, so a client that validates responses accepts fields
 *  added later. */
export function outputOf(operation: CredentialOperation): ObjectSchema {
  const { returns } = operation
  const {
    properties = {},
    required: all = [],
    ...schema
  } = returns as Readonly<Record<string, unknown>>
  // A credential without the read scope gets only part of the resource.
  const required = readScopeOf(operation) === null ? (all as string[]) : ['id']
  if (schema['x-list'] !== true) {
    return { type: 'object', ...titleOf(schema), required }
  }
  const { data } = properties as { data: { items: ObjectSchema } }
  const items = { type: 'object', ...titleOf(data.items), required: data.items.required ?? [] }
  return {
    type: 'object',
    properties: { data: { type: 'array', items } },
    required,
  }
}
