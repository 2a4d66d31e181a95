import { schemaPath } from '#content/reference.ts'
import type { Operation } from '#contract/operation.ts'
import { articleOf } from './article.ts'
import { contract, followed } from './contract.ts'
import { fieldRows } from './field-rows.ts'
import { type Field, fieldLines, fieldsOf, isSchema, type Schema } from './fields.ts'
import type { Part } from './parts.ts'

// An operation's parameters and response, field by field.

/** The operation in the published contract. */
function published({ method, path }: Operation): Schema {
  const item = contract.paths[path]?.[method.toLowerCase()]
  if (item === undefined) throw new Error(`the contract has no ${method} ${path}`)
  return item
}

export type Place = 'path' | 'query' | 'header'

/** The parameters in one location, as an object's fields. */
export function parametersIn(row: Operation, place: Place): Field[] {
  const all = published(row)['parameters']
  const own = (Array.isArray(all) ? all.filter(isSchema) : []).map(followed)
  const here = own.filter(each => each['in'] === place)
  return fieldsOf({
    properties: Object.fromEntries(
      here.map(({ name, schema, description }) => [
        String(name),
        { ...(isSchema(schema) ? schema : {}), ...(description ? { description } : {}) },
      ]),
    ),
    required: here.filter(each => each['required'] === true).map(({ name }) => String(name)),
  })
}

export function bodyFields(row: Operation): Field[] {
  if (row.body === undefined || row.body === 'none') return []
  return fieldsOf(jsonIn(published(row)['requestBody']))
}

function jsonIn(message: unknown): Schema {
  const content = isSchema(message) && isSchema(message['content']) ? message['content'] : {}
  const media = content['application/json']
  return isSchema(media) && isSchema(media['schema']) ? media['schema'] : {}
}

function section(heading: string, fields: Field[], path: string): Part[] {
  if (fields.length === 0) return []
  const lines = fieldLines(fields, 'request').join('\n')
  return [`## ${heading}`, { markdown: lines, html: fieldRows(fields, 'request', path) }]
}

export const requestSections = (row: Operation): Part[] => [
  ...section('Path parameters', parametersIn(row, 'path'), 'path'),
  ...section('Query parameters', parametersIn(row, 'query'), 'query'),
  ...section('Body', bodyFields(row), 'body'),
  ...section('Headers', parametersIn(row, 'header'), 'header'),
]

/** Names a schema that has its own page. Its fields are collapsed. */
export function responseSection(row: Operation): Part[] {
  const { schema, isList } = returned(row)
  const name =
    String(schema['$ref'] ?? '')
      .split('/')
      .at(-1) ?? ''
  const fields = fieldsOf(followed(schema))
  const lines = fieldLines(fields, 'response').join('\n')
  const rows = fieldRows(fields, 'response')
  if (name === '') return ['## Response fields', { markdown: lines, html: rows }]
  const link = `[${name}](${schemaPath(name)})`
  const text = isList
    ? `A page: \`data\` is a list of ${link} objects, and \`has_more\` says whether there's another page.`
    : `Returns ${articleOf(name)} ${link}.`
  const summary = `${fields.length} fields of <code>${name}</code>`
  const html = `<details class="field-more"><summary>${summary}</summary>${rows}</details>`
  return ['## Response fields', text, { markdown: lines, html }]
}

/** The schema of the response, or of a list's items. */
function returned(row: Operation): { schema: Schema; isList: boolean } {
  const answers = published(row)['responses']
  const schema = jsonIn(isSchema(answers) ? answers[String(row.status)] : undefined)
  if (!Array.isArray(schema['allOf'])) return { schema, isList: false }
  const [, list] = schema['allOf'].filter(isSchema)
  const properties = isSchema(list?.['properties']) ? list['properties'] : {}
  const data = isSchema(properties['data']) ? properties['data'] : {}
  return { schema: isSchema(data['items']) ? data['items'] : {}, isList: true }
}
