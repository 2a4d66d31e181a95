// The arguments of a tool as a request to its operation. The pipeline checks query and body, as it
// does for REST; what a request could not even express is checked here.

import { isWrite, pathNames } from '#contract/operation.ts'
import { keyArgument, patternIn } from '#contract/tools/schemas.ts'
import type { ClinicalTool } from '#contract/tools/tools.ts'
import type { OperationRequest } from '../pipeline/request.ts'
import { Reader, type Shape } from '../pipeline/validate.ts'

type Arguments = Pick<
  OperationRequest<string>,
  'path' | 'names' | 'query' | 'body' | 'idempotencyKey' | 'faults'
>

/** `now`: for the reader. */
export function requestOf(
  { operation, input }: ClinicalTool,
  given: Readonly<Record<string, unknown>>,
  now: number,
): Arguments {
  const reader = new Reader(now)
  const names: Record<string, string> = {}
  const query = new URLSearchParams()
  // What the tool does not have goes where the pipeline refuses it with its name.
  const otherwise = isWrite(operation) ? 'body' : 'query'
  const placed = Object.entries(given).map(
    ([name, value]) => [input.places.get(name) ?? otherwise, name, value] as const,
  )
  for (const [place, name, value] of placed) {
    if (place === 'query') query.append(name, textOf(value))
  }
  // Made of entries, because an assignment to `__proto__` would be no member.
  const body = Object.fromEntries(
    placed.flatMap(([place, name, value]) => (place === 'body' ? [[name, value]] : [])),
  )
  for (const name of pathNames(operation.path)) {
    names[name] = pathValue(reader, operation.path, name, given)
  }
  const key = given[keyArgument]
  return {
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ''),
    names,
    query,
    // As a request without a body.
    body: Object.keys(body).length === 0 ? undefined : body,
    idempotencyKey: isWrite(operation) && typeof key === 'string' ? key : null,
    faults: reader.faults,
  }
}

/** A value that is no text is refused by the schema of its parameter. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Of another kind of resource, or missing: refused before a handler is asked. */
function pathValue(
  reader: Reader,
  path: string,
  name: string,
  given: Readonly<Record<string, unknown>>,
): string {
  const id: Shape = { type: 'string', pattern: patternIn(path, name) }
  const argument: Shape = { type: 'object', properties: { [name]: id }, required: [name] }
  const sent = Object.hasOwn(given, name) ? { [name]: given[name] } : {}
  const read = reader.read(argument, sent, '#', 'arguments') as Record<string, unknown>
  return typeof read[name] === 'string' ? read[name] : ''
}
