import { eventPath, operationPath, problemPath, schemaPath, scopeLink } from '#content/reference.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { nounOf, sdkName, snake } from '#contract/derive/names.ts'
import { answerExample, requestExamples } from '#contract/examples.ts'
import { ids } from '#contract/examples/resources.ts'
import {
  everyRefusal,
  isWrite,
  type Operation,
  pathNames,
  refusalsOf,
  writeRefusal,
} from '#contract/operation.ts'
import { type ProblemCodeOf, problems } from '#contract/problems.ts'
import { contract, type Made } from './contract.ts'
import { fieldLines, isSchema, type Schema } from './fields.ts'
import { curlForm, pythonForm, type Sent, typescriptForm } from './forms.ts'

/** `- [File a case](…): POST /v1/cases`. */
export const operationLine = (id: OperationId) =>
  `- [${table[id].summary.replace(/\.$/, '')}](${operationPath(id)}): \`${table[id].method} ${table[id].path}\``

const list = (lines: string[]) => lines.map(line => `- ${line}`).join('\n')
const linkTo = (code: ProblemCodeOf<'v1'>) => `[\`${code}\`](${problemPath(code)})`
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
export const json = (value: unknown) => fence('json', JSON.stringify(value, null, 2))

/** Some descriptions of operations are too short for a list of pages. */
const aboutOf = ({ description = '' }: { readonly description?: string }): string =>
  description.length >= 60
    ? description
    : `${description} What it takes, what it answers, and why it may refuse.`.trim()

export const operationPages = (): Made[] => operationIds.map(operationPage)

function operationPage(id: OperationId): Made {
  const row = table[id]
  const name = row.summary.replace(/\.$/, '')
  return {
    path: operationPath(id),
    title: name,
    label: name.replace(/(,|:| because| and ).*$/, ''),
    group: row.tag,
    description: `${row.method} ${row.path}: ${aboutOf(row)}`,
    names: [id, snake(id), sdkName(id, row.path), `${row.method} ${row.path}`],
    body: [
      fence('http', `${row.method} ${row.path}`),
      row.description ?? '',
      list(facts(id, row)),
      section('Parameters', parameters(id, row)),
      section('Body', body(id, row)),
      `## Request\n\n${forms(sentOf(id, row))}`,
      `## Answer\n\n${answer(id, row)}`,
      `## Refusals\n\n${refusals(row)}`,
    ],
  }
}

const section = (heading: string, text: string) => (text === '' ? '' : `## ${heading}\n\n${text}`)

function facts(id: string, row: Operation): string[] {
  const events = (row.emits ?? []).map(type => `[\`${type}\`](${eventPath(type)})`)
  return [
    `Scope: ${scopeLink(row.scope)}`,
    `Modes: ${row.mode === 'test' ? 'test only' : 'test and live'}`,
    `Operation: \`${id}\``,
    ...(events.length > 0 ? [`Events: ${events.join(', ')}`] : []),
  ]
}

/** The operation in the published contract. */
function published(id: string, { method, path }: Operation): Schema {
  const item = contract.paths[path]?.[method.toLowerCase()]
  if (item === undefined) throw new Error(`the contract has no ${id}`)
  return item
}

function parameters(id: string, row: Operation): string {
  const own = published(id, row)['parameters']
  const written = (Array.isArray(own) ? own.filter(isSchema) : []).filter(each => each['name'])
  const fields = (place: string): Schema => {
    const of = written.filter(each => each['in'] === place)
    return {
      properties: Object.fromEntries(
        of.map(({ name, schema, description }) => [
          String(name),
          { ...(isSchema(schema) ? schema : {}), ...(description ? { description } : {}) },
        ]),
      ),
      required: of.filter(each => each['required'] === true).map(({ name }) => String(name)),
    }
  }
  const section = (words: string, place: string) => {
    const lines = fieldLines(fields(place), true)
    return lines.length === 0 ? '' : `${words}\n\n${lines.join('\n')}`
  }
  return [section('In the path:', 'path'), section('In the query:', 'query')]
    .filter(Boolean)
    .join('\n\n')
}

function body(id: string, row: Operation): string {
  if (row.body === undefined || row.body === 'none') return ''
  const request = published(id, row)['requestBody']
  const content = isSchema(request) && isSchema(request['content']) ? request['content'] : {}
  const media = content['application/json']
  const schema = isSchema(media) && isSchema(media['schema']) ? media['schema'] : {}
  return fieldLines(schema, true).join('\n')
}

/** The first example of the operation, with example ids in its path. */
function sentOf(id: string, row: Operation): Sent {
  const known = new Map<string, string>(Object.entries(ids))
  const path = pathNames(row.path).reduce(
    (text, name) => text.replace(`{${name}}`, known.get(nounOf(row.path, name)) ?? name),
    row.path as string,
  )
  return { operation: row, path, body: Object.values(requestExamples(id))[0] }
}

const forms = (sent: Sent) =>
  [
    `### curl\n\n${fence('sh', curlForm(sent))}`,
    `### TypeScript\n\n${fence('ts', typescriptForm(sent))}`,
    `### Python\n\n${fence('python', pythonForm(sent))}`,
  ].join('\n\n')

function answer(id: string, row: Operation): string {
  const example = answerExample(id, row.returns)
  const returned = schemaName(row.returns as Schema)
  const words = returned === null ? '' : `: ${returned}`
  return [`\`${row.status}\`${words}.`, ...(example === undefined ? [] : [json(example)])].join(
    '\n\n',
  )
}

function schemaName(schema: Schema): string | null {
  const named = (one: unknown) => {
    const name = isSchema(one) ? one['$id'] : undefined
    return typeof name === 'string' ? `[${name}](${schemaPath(name)})` : null
  }
  if (schema['x-list'] !== true) return named(schema)
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const data = properties['data']
  const item = isSchema(data) ? named(data['items']) : null
  return item === null ? null : `a page of ${item}`
}

function refusals(row: Operation): string {
  const common = new Set<ProblemCodeOf<'v1'>>([...everyRefusal, ...writeRefusal])
  const own = refusalsOf(row).filter(code => !common.has(code))
  const line = (code: ProblemCodeOf<'v1'>) =>
    `\`${problems[code].status}\` ${linkTo(code)}: ${problems[code].title}.`
  const all = [...everyRefusal, ...(isWrite(row) ? writeRefusal : [])].map(linkTo).join(', ')
  return [
    ...(own.length === 0 ? [] : [list(own.map(line))]),
    `As every ${isWrite(row) ? 'write' : 'operation'}: ${all}.`,
  ].join('\n\n')
}
