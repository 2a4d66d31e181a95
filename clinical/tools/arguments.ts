// Converts a tool's arguments to a request to its operation. The pipeline checks the query and
// body, as for REST. Faults that a request couldn't express are found here.

import { fieldMessage, formOfType } from '#contract/messages/field-messages.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import { keyArgument, patternIn, type ToolInput } from '#contract/tools/schemas.ts'
import { type ClinicalTool, clinicalTools } from '#contract/tools/tools.ts'
import type { RequestedCall } from '../pipeline/requested-call.ts'
import { Reader, type Shape, takesNull } from '../pipeline/validate.ts'

type Arguments = Pick<
  RequestedCall<string>,
  'path' | 'names' | 'query' | 'body' | 'idempotencyKey' | 'faults'
>

/** A tool's path parameters: the IDs, each as its own argument. */
type PathArgument = { readonly name: string; readonly schema: Shape }

/** Built once, because the reader caches what it derives from each schema object, and a call does
 *  little else. */
const pathArguments: ReadonlyMap<string, readonly PathArgument[]> = new Map(
  clinicalTools.map(({ operation: { path } }) => [
    path,
    pathNames(path).map(name => {
      const id: Shape = { type: 'string', pattern: patternIn(path, name) }
      return { name, schema: { type: 'object', properties: { [name]: id }, required: [name] } }
    }),
  ]),
)

/** `now` is the time the reader validates against. */
export function requestOf(
  { operation, input }: ClinicalTool,
  given: Readonly<Record<string, unknown>>,
  now: number,
): Arguments {
  const reader = new Reader(now)
  const names: Record<string, string> = {}
  const query = new URLSearchParams()
  // Unknown arguments go where the pipeline refuses them by name.
  const otherwise = isWrite(operation) ? 'body' : 'query'
  const placed = Object.entries(given)
    .filter(([name, value]) => value !== null || isNullable(input, name))
    .map(([name, value]) => [input.places.get(name) ?? otherwise, name, value] as const)
  for (const [place, name, value] of placed) {
    if (place !== 'query') continue
    query.append(name, textOf(value))
    checkType(reader, input, name, value)
  }
  // Built from entries, because assigning `__proto__` wouldn't create a field.
  const body = Object.fromEntries(
    placed.flatMap(([place, name, value]) => (place === 'body' ? [[name, value]] : [])),
  )
  let { path } = operation as { path: string }
  for (const argument of pathArguments.get(path) ?? []) {
    const value = pathValue(reader, argument, given)
    names[argument.name] = value
    path = path.replace(`{${argument.name}}`, () => value)
  }
  const key = given[keyArgument]
  return {
    path,
    names,
    query,
    // Without fields, the request has no body.
    body: Object.keys(body).length === 0 ? undefined : body,
    idempotencyKey: isWrite(operation) && typeof key === 'string' ? key : null,
    faults: reader.faults,
  }
}

/** Clients send null for arguments they omit. */
const isNullable = ({ schema: { properties = {} }, places }: ToolInput, name: string): boolean =>
  !places.has(name) || takesNull(properties[name] as Shape)

const jsTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
}

/** Once in the query's text, a value of the wrong type would look like one of the right type. */
function checkType(reader: Reader, { schema }: ToolInput, name: string, value: unknown): void {
  const type = String(schema.properties?.[name]?.['type'])
  if (!Object.hasOwn(jsTypes, type) || typeof value === jsTypes[type]) return
  reader.refuse(`?${name}`, 'wrong_type', fieldMessage.wrongType(name, formOfType(type)))
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Refuses an ID that's missing or belongs to another kind of resource, before any handler runs. */
function pathValue(
  reader: Reader,
  { name, schema }: PathArgument,
  given: Readonly<Record<string, unknown>>,
): string {
  const sent = Object.hasOwn(given, name) ? { [name]: given[name] } : {}
  const read = reader.read(schema, sent, '#', 'arguments') as Record<string, unknown>
  return typeof read[name] === 'string' ? read[name] : ''
}
