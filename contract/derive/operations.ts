// A row as an OpenAPI operation, in any API.

import type { TObject, TSchema } from 'typebox'
import type { Occasion } from '../headers.ts'
import { type Answer, type ApiName, isWrite, pathNames } from '../operation.ts'
import { answerHeaderRefs, requestHeaderRefs } from './headers.ts'
import type { Refusals, Refusing } from './refusals.ts'
import type { Node, Schemas } from './schemas.ts'

export type DocumentedBody = {
  readonly schema: TSchema
  readonly required: boolean
  readonly examples: Readonly<Record<string, { summary: string; value: unknown }>>
}

/** A row with everything derived from it for its API's document. */
export type DocumentedOperation = Refusing & {
  readonly id: string
  readonly description: string | undefined
  /** Fields that only this API's operations have. */
  readonly extensions?: Node
  /** The schemas of path parameters. A schema's description and example move to the parameter. */
  readonly params: Readonly<Record<string, TSchema>>
  /** This operation's headers in addition to the common ones. */
  readonly headers: TObject | undefined
  readonly body: DocumentedBody | undefined
  readonly answers: readonly Answer[]
  /** The occasions that determine a successful response's headers. */
  readonly occasions: readonly Occasion[]
}

type Writers = {
  readonly api: ApiName
  readonly schemas: Schemas
  readonly refusals: Refusals
}

export function operationObject(operation: DocumentedOperation, writers: Writers): Node {
  const { id, row, description, body, headers } = operation
  const { api, schemas, refusals } = writers
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary.replace(/\.$/, ''),
    ...(description ? { description } : {}),
    ...operation.extensions,
    parameters: [
      ...pathNames(row.path).map(name =>
        parameter(schemas, 'path', name, operation.params[name], true),
      ),
      ...parameters(schemas, 'query', row.query),
      ...parameters(schemas, 'header', headers),
      // A row may describe a common header itself; ACP, for example, has its own version dates.
      ...requestHeaderRefs(api, isWrite(row), Object.keys(headers?.properties ?? {})),
    ],
    ...(body ? { requestBody: requestBody(body, schemas) } : {}),
    responses: { ...refusals.of(operation), ...answersOf(operation, writers) },
  }
}

type Location = 'path' | 'query' | 'header'

const parameters = (schemas: Schemas, location: Location, object: TObject | undefined): Node[] =>
  Object.entries(object?.properties ?? {}).map(([name, schema]) =>
    parameter(schemas, location, name, schema, object?.required?.includes(name) ?? false),
  )

function parameter(
  schemas: Schemas,
  location: Location,
  name: string,
  written: TSchema | undefined,
  required: boolean,
): Node {
  const { description, example, ...schema } = schemas.refer(written) as Node
  return {
    name,
    in: location,
    required,
    ...(description ? { description } : {}),
    schema,
    ...(example ? { example } : {}),
  }
}

function requestBody({ schema, required, examples }: DocumentedBody, schemas: Schemas): Node {
  const media = {
    schema: schemas.refer(schema),
    ...(Object.keys(examples).length > 0 ? { examples } : {}),
  }
  return { required, content: { 'application/json': media } }
}

function answersOf({ answers, occasions }: DocumentedOperation, { api, schemas }: Writers): Node {
  const headers = answerHeaderRefs(api, ['every', ...occasions])
  const media = (content: Answer['content']) =>
    Object.fromEntries(
      Object.entries(content).map(([type, { schema, example }]) => [
        type,
        { schema: schemas.refer(schema), ...(example === undefined ? {} : { example }) },
      ]),
    )
  return Object.fromEntries(
    answers.map(({ status, description, content }) => [
      String(status),
      {
        description,
        headers,
        ...(Object.keys(content).length > 0 ? { content: media(content) } : {}),
      },
    ]),
  )
}
