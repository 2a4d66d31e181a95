// One row as an OpenAPI operation.

import type { TSchema } from 'typebox'
import { answers, requests, schemaExamples } from '../examples.ts'
import { ids } from '../examples/resources.ts'
import { idPattern, type Noun, prefixes } from '../ids.ts'
import { isWrite, modes, type Operation, pathNames } from '../operation.ts'
import { type AnswerHeader, everyHeader, headerRefs, parameterRef } from './headers.ts'
import { sdkName, singular } from './names.ts'
import { placeOf } from './places.ts'
import type { Refusals } from './refusals.ts'
import type { Node, Schemas } from './schemas.ts'

export type Rows = Readonly<Record<string, Operation>>
export type Gathered = { rows: Rows; schemas: Schemas; refusals: Refusals }

const isNoun = (word: string): word is Noun => Object.hasOwn(prefixes, word)

/** What the id in a path is of: the collection before it, `/cases/{id}`. */
export function nounOf(path: string, name: string): Noun {
  const parts = path.split('/')
  const noun = singular(parts[parts.indexOf(`{${name}}`) - 1] ?? '')
  if (isNoun(noun)) return noun
  throw new Error(`${path}: contract/ids.ts has no prefix for "${noun}"`)
}

function pathParameter(path: string, name: string): Node {
  const noun = nounOf(path, name)
  const example: unknown = new Map<string, string>(Object.entries(ids)).get(noun)
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${noun.replaceAll('_', ' ')}.`,
    schema: { type: 'string', pattern: idPattern(prefixes[noun]) },
    ...(example ? { example } : {}),
  }
}

function queryParameters(query: Operation['query'], schemas: Schemas): Node[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemas.refer(schema) as Node
    const required = query?.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description ? { description } : {}), schema: rest }
  })
}

/** The example of what a row answers: its own, or that of the schema it returns. */
export function answerExample(id: string, returns: TSchema): unknown {
  const own: unknown = Object.entries(answers).find(([key]) => key === id)?.[1]
  return own ?? exampleOf(returns as Node)
}

function exampleOf(schema: Node): unknown {
  const name = schema['$id']
  if (typeof name === 'string') return schemaExamples[name]
  const { data } = schema['properties'] as { data: { items: Node } }
  return { data: [exampleOf(data.items)], has_more: false }
}

/** Named examples of a row's body. */
export const requestExamples = (id: string): Readonly<Record<string, unknown>> =>
  Object.entries(requests).find(([key]) => key === id)?.[1] ?? {}

function requestBody(
  id: string,
  body: Exclude<Operation['body'], 'none' | undefined>,
  schemas: Schemas,
): Node {
  const examples = Object.entries(requestExamples(id)).map(([name, value]) => {
    const words = name.replaceAll('_', ' ')
    return [name, { summary: `${words.charAt(0).toUpperCase()}${words.slice(1)}`, value }]
  })
  const media = { schema: schemas.refer(body), examples: Object.fromEntries(examples) }
  return {
    required: (body.required ?? []).length > 0,
    content: { 'application/json': media },
  }
}

function success(id: string, row: Operation, { rows, schemas }: Gathered): Node {
  const names = [
    ...everyHeader,
    ...(placeOf(row, Object.values(rows)) ? (['Location'] as const) : []),
    ...(isWrite(row) ? (['Idempotent-Replayed', 'Original-Request-Id'] as const) : []),
  ] satisfies readonly AnswerHeader[]
  const words = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' }
  const read = (row.returns as Node)['x-list'] === true ? 'One page.' : 'Found.'
  return {
    description: isWrite(row) ? words[row.status] : read,
    headers: headerRefs(names),
    content: {
      'application/json': {
        schema: schemas.refer(row.returns),
        example: answerExample(id, row.returns),
      },
    },
  }
}

/** The prose of a row, and after it what its other columns mean to a reader. */
function describe(row: Operation): string {
  const events = (row.emits ?? []).map(type => `\`${type}\``).join(', ')
  return [
    ...(row.description ? [row.description] : []),
    `Scope: \`${row.scope}\`.${row.mode === 'test' ? ' Test mode only.' : ''}`,
    ...(events ? [`Events: ${events}.`] : []),
  ].join('\n\n')
}

export function operationObject(id: string, row: Operation, gathered: Gathered): Node {
  const { schemas, refusals } = gathered
  const { body } = row
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary.replace(/\.$/, ''),
    description: describe(row),
    'x-sdk-name': sdkName(id, row.path),
    'x-modes': row.mode === 'test' ? ['test'] : modes,
    ...(row.emits ? { 'x-emits': row.emits } : {}),
    security: [{ bearer: [row.scope] }],
    parameters: [
      ...pathNames(row.path).map(name => pathParameter(row.path, name)),
      ...queryParameters(row.query, schemas),
      ...(isWrite(row) ? [parameterRef('Idempotency-Key')] : []),
      parameterRef('Service-Organization'),
      parameterRef('API-Version'),
    ],
    ...(body && body !== 'none' ? { requestBody: requestBody(id, body, schemas) } : {}),
    responses: { [String(row.status)]: success(id, row, gathered), ...refusals.of(row) },
  }
}
