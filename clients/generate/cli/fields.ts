// Contract schemas as the CLI shows and reads them: field names, types in words, and the data that
// converts `key=value` to JSON.

import type { TSchema } from 'typebox'
import type { Field } from './row.ts'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: ReadonlySet<unknown> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
])

/** Removes null from a schema, where `T | null` is a list of types or a choice of two schemas. */
function withoutNull(schema: Node): { node: Node; isNullable: boolean } {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type)) {
    const kept: unknown = type.find(one => one !== 'null')
    return { node: { ...rest, type: kept }, isNullable: type.includes('null') }
  }
  if (Array.isArray(anyOf)) {
    const kept: unknown = anyOf.find(one => isNode(one) && one['type'] !== 'null')
    return { node: { ...(isNode(kept) ? kept : {}), ...rest }, isNullable: anyOf.length > 1 }
  }
  return { node: schema, isNullable: false }
}

function formOf({ format, pattern }: Node): string | undefined {
  if (typeof format === 'string') return format
  return /^\^([a-z]+_)\[0-7\]/.exec(String(pattern))?.[1]
}

const valuesOf = ({ enum: values }: Node) =>
  Array.isArray(values) ? values.filter(value => typeof value === 'string') : undefined

export function fieldOf(name: string, schema: unknown, isRequired: boolean): Field {
  const { node, isNullable } = withoutNull(isNode(schema) ? schema : {})
  const { type, description } = node
  const [form, values] = [formOf(node), valuesOf(node)]
  return {
    name,
    type: types.has(type) ? (type as Field['type']) : 'any',
    isRequired,
    ...(isNullable ? { isNullable } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(values ? { values } : {}),
    ...('default' in node ? { default: node['default'] } : {}),
    ...(form ? { form } : {}),
    ...(isNode(node['properties']) ? { fields: fieldsOf(node) } : {}),
    ...(isNode(node['items']) ? { items: fieldOf('', node['items'], true) } : {}),
  }
}

/** An object schema's fields, in contract order. */
export function fieldsOf(schema: TSchema | Node): Field[] {
  const { properties, required } = schema as Node
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isNode(properties) ? properties : {}).map(([name, one]) =>
    fieldOf(name, one, names.includes(name)),
  )
}
