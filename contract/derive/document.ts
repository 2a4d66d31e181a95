// An API's table as an OpenAPI 3.1 document. The whole document follows from the rows, so it can't
// promise an operation, field or refusal that the API doesn't have.

import type { ApiName } from '../operation.ts'
import { answerHeaderComponents, requestHeaderComponents } from './headers.ts'
import { type DocumentedOperation, operationObject } from './operations.ts'
import { Refusals, type RefusalTable } from './refusals.ts'
import { type Node, Schemas } from './schemas.ts'

/** An API's rows, and the texts that aren't in them. */
export type ApiDescription = {
  readonly name: ApiName
  readonly info: Node
  readonly servers: readonly Node[]
  readonly security: readonly Node[]
  readonly securitySchemes?: Node
  readonly externalDocs?: Node
  /** In published order. Tags without a row are left out. */
  readonly tags: Readonly<Record<string, string>>
  /** Examples of named schemas, by name. */
  readonly schemaExamples: Readonly<Record<string, unknown>>
  readonly refusals: RefusalTable
  readonly operations: readonly DocumentedOperation[]
  /** The events that the API sends, with the components of their headers. */
  readonly webhooks?: { of(schemas: Schemas): Node; readonly parameters: Node }
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
  const webhooks = api.webhooks?.of(schemas)
  const responses = writers.refusals.components
  const text = JSON.stringify([paths, responses])
  /** Omits components that a short document doesn't refer to. */
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
    ...(webhooks ? { webhooks } : {}),
    components: {
      ...(securitySchemes ? { securitySchemes } : {}),
      parameters: {
        ...needed('parameters', requestHeaderComponents(name)),
        ...api.webhooks?.parameters,
      },
      headers: needed('headers', answerHeaderComponents(name)),
      schemas: schemas.components,
      ...responses,
    },
  }
}
