import { schemaPath } from '#content/reference.ts'

// A JSON schema as text: one line for each field.

export type Schema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const nameOf = (ref: unknown) => String(ref).replace('#/components/schemas/', '')

/** `- name: type, required. Description.`, with its fields indented below. */
export function fieldLines(schema: Schema, isRequest: boolean, depth = 0): string[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required = words(schema['required'])
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = isSchema(value) ? value : {}
    const needed = required.includes(name)
    const note =
      isRequest && needed ? ', required' : !isRequest && !needed ? ', not always there' : ''
    const fallback = field['default'] === undefined ? '' : `, ${code(field['default'])} if left out`
    const description = typeof field['description'] === 'string' ? ` ${field['description']}` : ''
    const line = `${'  '.repeat(depth)}- \`${name}\`: ${typeOf(field)}${note}${fallback}.${description}`
    return [line, ...fieldLines(inside(field), isRequest, depth + 1)]
  })
}

/** The object schema of a field, whether alone, in a list, or in a union. */
function inside(field: Schema): Schema {
  if (field['$ref'] !== undefined) return {}
  if (isSchema(field['items'])) return inside(field['items'])
  const forms = Array.isArray(field['anyOf']) ? field['anyOf'].filter(isSchema) : []
  const object = forms.find(form => form['type'] === 'object' || form['items'] !== undefined)
  return object === undefined ? field : inside(object)
}

function typeOf(field: Schema): string {
  if (field['$ref'] !== undefined) {
    const name = nameOf(field['$ref'])
    return `[${name}](${schemaPath(name)})`
  }
  if (Array.isArray(field['anyOf'])) {
    const forms = field['anyOf'].filter(isSchema)
    const real = forms
      .filter(form => form['type'] !== 'null')
      .map(typeOf)
      .join(' or ')
    return forms.some(form => form['type'] === 'null') ? orNull(real) : real
  }
  if (field['const'] !== undefined) return `always ${code(field['const'])}`
  const types = Array.isArray(field['type'])
    ? words(field['type'])
    : [String(field['type'] ?? 'any')]
  const canBeNull = types.length > 1 && types.includes('null')
  const type = types.find(each => each !== 'null') ?? 'null'
  return canBeNull ? orNull(plainType(type, field)) : plainType(type, field)
}

const orNull = (type: string) => `${type}${type.includes(',') ? ',' : ''} or null`

function plainType(type: string, field: Schema): string {
  const listed = words(field['enum'] ?? field['x-open-enum']).filter(word => word !== 'null')
  if (listed.length > 12) return `one of ${listed.length} words`
  if (listed.length > 0) return `one of ${listed.map(code).join(', ')}`
  if (type === 'array')
    return `list of ${isSchema(field['items']) ? many(field['items']) : 'values'}${between(field['minItems'], field['maxItems'])}`
  if (type === 'integer' || type === 'number') {
    return `${type}${between(field['minimum'], field['maximum'])}`
  }
  if (type !== 'string') return type
  const prefix = /^\^([a-z]+)_/.exec(String(field['pattern'] ?? ''))?.[1]
  if (prefix !== undefined) return `id, \`${prefix}_…\``
  const format = formats[String(field['format'] ?? '')]
  return format ?? `text${length(field['minLength'], field['maxLength'])}`
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'moment',
  date: 'day',
  uri: 'address',
  email: 'e-mail address',
}

const many = (items: Schema) => {
  const type = typeOf(items)
  return type === 'object' ? 'objects' : type
}

const between = (least: unknown, most: unknown) => {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `, at least ${String(least)}`
  return least === undefined ? `, at most ${String(most)}` : `, ${String(least)} to ${String(most)}`
}

const length = (least: unknown, most: unknown) => {
  const range = between(least === 0 ? undefined : least, most)
  return range === '' ? '' : `${range} characters`
}
