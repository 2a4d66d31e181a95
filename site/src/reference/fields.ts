import { schemaPath } from '#content/reference.ts'

// A JSON schema as fields, which Markdown shows as lines and a page as rows.

export type Schema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts are Markdown: they may contain code and links. */
export type Field = {
  name: string
  type: string
  required: boolean
  nullable: boolean
  /** A value's constraints beyond its type, and its default. */
  limits: string[]
  /** The allowed values; more may be added to an open list. */
  values: string[]
  isOpen: boolean
  description: string
  fields: Field[]
}

const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(word => word !== null).map(String) : []
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const nameOf = (ref: unknown) => String(ref).replace('#/components/schemas/', '')

export function fieldsOf(schema: Schema): Field[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required = words(schema['required'])
  return Object.entries(properties).map(([name, value]) =>
    fieldOf(name, isSchema(value) ? value : {}, required.includes(name)),
  )
}

function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const { form, nullable } = withoutNull(schema)
  const list = isSchema(form['items']) ? form['items'] : undefined
  const listed = list ?? form
  return {
    name,
    type: typeOf(form),
    required,
    nullable,
    limits: [
      ...limitsOf(form),
      ...(list === undefined ? [] : limitsOf(list).map(limit => `each ${limit}`)),
      ...(form['default'] === undefined ? [] : [`default ${code(form['default'])}`]),
    ],
    values: words(listed['enum'] ?? listed['x-open-enum']),
    isOpen: listed['x-open-enum'] !== undefined,
    description: typeof form['description'] === 'string' ? form['description'] : '',
    fields: fieldsOf(listed),
  }
}

/** Removes null from a nullable schema. */
function withoutNull(schema: Schema): { form: Schema; nullable: boolean } {
  const { anyOf, type, ...rest } = schema
  if (Array.isArray(anyOf)) {
    const forms = anyOf.filter(isSchema)
    const real = forms.filter(form => form['type'] !== 'null')
    return { form: { ...real[0], ...rest }, nullable: real.length < forms.length }
  }
  if (!Array.isArray(type)) return { form: schema, nullable: false }
  const real = words(type).find(each => each !== 'null')
  return { form: { ...rest, type: real }, nullable: type.includes('null') }
}

function typeOf(schema: Schema): string {
  if (schema['$ref'] !== undefined) {
    const name = nameOf(schema['$ref'])
    return `[${name}](${schemaPath(name)})`
  }
  const type = String(schema['type'] ?? 'any')
  if (type !== 'array') return type
  const items = isSchema(schema['items']) ? typeOf(schema['items']) : 'any'
  if (items === 'any') return 'array'
  return `array of ${items.startsWith('[') ? items : `${items}s`}`
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'date and time, RFC 3339',
  date: 'date, `YYYY-MM-DD`',
  uri: 'URL',
  email: 'email address',
}

function limitsOf(schema: Schema): string[] {
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : ''
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1]
  return [
    schema['const'] === undefined ? '' : `always ${code(schema['const'])}`,
    prefix === undefined ? '' : `begins with \`${prefix}_\``,
    formats[String(schema['format'] ?? '')] ?? '',
    range(schema['minLength'] || undefined, schema['maxLength'], ' characters'),
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minItems'] || undefined, schema['maxItems'], ' items'),
    schema['uniqueItems'] === true ? 'no duplicates' : '',
    pattern === '' || prefix !== undefined || pattern.length > patternMax
      ? ''
      : `matches ${code(pattern)}`,
  ].filter(Boolean)
}

/** Leaves out longer patterns, which programs read in the OpenAPI document. */
const patternMax = 32

function range(least: unknown, most: unknown, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `at least ${String(least)}${unit}`
  return least === undefined
    ? `at most ${String(most)}${unit}`
    : `${String(least)} to ${String(most)}${unit}`
}

/** Whether a schema is for a request, whose fields are optional unless required. */
export type Side = 'request' | 'response'

/** The labels next to a field's type. */
export const badgesOf = ({ required, nullable }: Field, side: Side): string[] => [
  ...(side === 'request' && required ? ['required'] : []),
  ...(side === 'response' && !required ? ['not always present'] : []),
  ...(nullable ? ['nullable'] : []),
]

/** `- name: type, required. Description.`, with its fields indented below. */
export function fieldLines(fields: readonly Field[], side: Side, depth = 0): string[] {
  return fields.flatMap(field => {
    const { name, type, limits, values, isOpen, description } = field
    const listed = values.length === 0 ? [] : [`one of ${values.map(code).join(', ')}`]
    const facts = [type, ...badgesOf(field, side), ...limits, ...listed].join(', ')
    const more = isOpen ? ' Values may be added.' : ''
    const sentence = description === '' ? '' : ` ${description}`
    const line = `${'  '.repeat(depth)}- \`${name}\`: ${facts}.${sentence}${more}`
    return [line, ...fieldLines(field.fields, side, depth + 1)]
  })
}
