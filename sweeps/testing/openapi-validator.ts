// Validates an HTTP response against its API's published OpenAPI document with an independent
// validator: the status must be documented, the headers present, and the body valid.

import { expect } from 'bun:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type CallableId, callable } from '#contract/callable.ts'
import { documents as texts } from '#contract/derive/documents.ts'

type Ref = { $ref: string }
type Media = { schema: object; examples?: Record<string, Ref | { value: unknown }> }
type Documented = {
  headers?: Record<string, Ref | { required?: boolean }>
  content: Record<string, Media>
}
type Published = {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, Media> }
        responses: Record<string, Ref | Documented>
      }
    >
  >
  components: Record<string, Record<string, unknown>>
}
type Document = { name: string; published: Published }
const published = (name: 'v1' | 'preview'): Document => ({
  name,
  published: JSON.parse(texts[`openapi.${name}.json`]()) as Published,
})
const documents = { v1: published('v1'), preview: published('preview') }
const documentOf = (id: CallableId): Document =>
  documents[callable[id].path.startsWith('/preview/') ? 'preview' : 'v1']

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)
const local = ({ name }: Document, schema: object): object =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('#/components/schemas/', `${name}#/$defs/`),
  ) as object
for (const document of Object.values(documents)) {
  const schemas = document.published.components['schemas'] ?? {}
  ajv.addSchema({ $id: document.name, $defs: local(document, schemas) })
}

const validators = new Map<object, ValidateFunction>()
function faultsOf(document: Document, schema: object, value: unknown): string[] {
  let validate = validators.get(schema)
  if (!validate) validators.set(schema, (validate = ajv.compile(local(document, schema))))
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function resolve<T extends object>({ published }: Document, found: T | Ref): T {
  if (!('$ref' in found)) return found
  const [, , group = '', name = ''] = found.$ref.split('/')
  return published.components[group]?.[name] as T
}

const operationOf = (id: CallableId) => {
  const row = callable[id]
  const found = documentOf(id).published.paths[row.path]?.[row.method.toLowerCase()]
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}

/** The named examples of an operation's request body. */
export const requestsOf = (id: CallableId): [name: string, value: unknown][] => {
  const media = operationOf(id).requestBody?.content['application/json']
  return Object.entries(media?.examples ?? {}).map(([name, example]) => [
    name,
    resolve<{ value: unknown }>(documentOf(id), example).value,
  ])
}

/** The problem codes that the document lists for an operation, each with its example. */
export function refusalsOf(id: CallableId): [code: string, example: Record<string, unknown>][] {
  return Object.entries(operationOf(id).responses).flatMap(([status, found]) => {
    if (Number(status) < 400) return []
    const media = resolve<Documented>(documentOf(id), found).content['application/problem+json']
    return Object.entries(media?.examples ?? {}).map(
      ([code, example]): [string, Record<string, unknown>] => [
        code,
        resolve<{ value: unknown }>(documentOf(id), example).value as Record<string, unknown>,
      ],
    )
  })
}

/** Returns a response's parsed body; throws if the response isn't as documented. */
export async function asDocumented(id: CallableId, answer: Response): Promise<unknown> {
  const text = await answer.text()
  const found = operationOf(id).responses[String(answer.status)]
  if (!found) throw new Error(`${id} returned ${answer.status}, which is not documented: ${text}`)
  const document = documentOf(id)
  const documented = resolve<Documented>(document, found)
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? ''
  const media = documented.content[type]
  if (!media) throw new Error(`${id} returned ${answer.status} as ${type}, which is not documented`)
  const body: unknown = JSON.parse(text)
  expect([id, faultsOf(document, media.schema, body)]).toEqual([id, []])
  const missing = Object.entries(documented.headers ?? {}).filter(
    ([name, header]) =>
      resolve<{ required?: boolean }>(document, header).required === true &&
      !answer.headers.has(name),
  )
  expect([id, missing.map(([name]) => name)]).toEqual([id, []])
  return body
}
