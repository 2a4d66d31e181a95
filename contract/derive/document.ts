// The table of an API as an OpenAPI 3.1 document. Everything in it follows from the rows, so it
// cannot promise an operation, a field or a refusal that the API does not have.

import type { ApiName } from '../operation.ts'
import { answerHeaderComponents, requestHeaderComponents } from './headers.ts'
import { type DocumentedOperation, operationObject } from './operations.ts'
import { Refusals, type RefusalTable } from './refusals.ts'
import { type Node, Schemas } from './schemas.ts'

/** What the document of an API says beside its operations, and how its rows are read. */
export type ApiDescription = {
  readonly name: ApiName
  readonly info: Node
  readonly servers: readonly Node[]
  readonly security: readonly Node[]
  readonly securitySchemes?: Node
  readonly externalDocs?: Node
  /** In the order in which they are published; those without a row are left out. */
  readonly tags: Readonly<Record<string, string>>
  /** Examples of named schemas, by name. */
  readonly schemaExamples: Readonly<Record<string, unknown>>
  readonly refusals: RefusalTable
  readonly operations: readonly DocumentedOperation[]
}

export function openapiDocument(api: ApiDescription): Node {
  const { name, operations, securitySchemes, externalDocs } = api
  const schemas = new Schemas(api.schemaExamples)
  const writers = { api: name, schemas, refusals: new Refusals(name, api.refusals, schemas) }
  const paths: Record<string, Record<string, Node>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.row.path] ??= {})
    methods[operation.row.method.toLowerCase()] = operationObject(operation, writers)
  }
  const used = new Set(operations.map(({ row }) => row.tag))
  const responses = writers.refusals.components
  const text = JSON.stringify([paths, responses])
  /** A short document needs fewer headers than its API has. */
  const needed = (kind: string, all: Node): Node =>
    Object.fromEntries(
      Object.entries(all).filter(([key]) => text.includes(`"#/components/${kind}/${key}"`)),
    )
  return {
    openapi: '3.1.1',
    info: api.info,
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: api.servers,
    security: api.security,
    tags: Object.entries(api.tags)
      .filter(([tag]) => used.has(tag))
      .map(([tag, description]) => ({ name: tag, description })),
    ...(externalDocs ? { externalDocs } : {}),
    paths,
    components: {
      ...(securitySchemes ? { securitySchemes } : {}),
      parameters: needed('parameters', requestHeaderComponents(name)),
      headers: needed('headers', answerHeaderComponents(name)),
      schemas: schemas.components,
      ...responses,
    },
  }
}
