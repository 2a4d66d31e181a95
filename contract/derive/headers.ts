// The header table in OpenAPI form: components, and an operation's references to them.

import { answerHeaders, type HeaderRow, type Occasion } from '../headers.ts'
import type { ApiName } from '../operation.ts'
import { requestHeaders } from '../request-headers.ts'
import type { Node } from './schemas.ts'

/** The preview has its own headers and all of the clinical API's. */
const isOf = (api: ApiName, row: HeaderRow) =>
  row.api === api || (api === 'preview' && row.api === 'clinical')

const componentsOf = (rows: readonly HeaderRow[], api: ApiName, write: (row: HeaderRow) => Node) =>
  Object.fromEntries(rows.filter(row => isOf(api, row)).map(row => [row.name, write(row)]))

/** An API's request headers as components, which OpenAPI calls parameters. */
export const requestHeaderComponents = (api: ApiName): Node =>
  componentsOf(requestHeaders, api, ({ name, required, description, schema, example }) => ({
    name,
    in: 'header',
    required,
    description,
    schema,
    example,
  }))

/** An API's response headers as components. */
export const answerHeaderComponents = (api: ApiName): Node =>
  componentsOf(answerHeaders, api, ({ description, required, schema, example }) => ({
    description,
    ...(required ? { required } : {}),
    schema,
    example,
  }))

/** References to an operation's request headers, except those it describes itself. */
export const requestHeaderRefs = (
  api: ApiName,
  write: boolean,
  described: readonly string[],
): Node[] =>
  requestHeaders
    .filter(row => isOf(api, row) && (row.on === 'every' || write))
    .filter(({ name }) => !described.includes(name))
    .map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))

/** References to a response's headers. */
export const answerHeaderRefs = (api: ApiName, occasions: readonly Occasion[]): Node =>
  Object.fromEntries(
    occasions
      .flatMap(on => answerHeaders.filter(row => isOf(api, row) && row.on === on))
      .map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]),
  )
