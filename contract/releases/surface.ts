// An API's surface: the operations, request and response fields, and events in its OpenAPI
// document. Also computes the changes between two releases' surfaces.

import type { Node } from '../derive/schemas.ts'

/** Pointers to fields, such as `#/a/*\/b`. The pointers of deprecated fields end in `
 *  deprecated`. */
type Fields = readonly string[]

type OperationSurface = {
  readonly deprecated: boolean
  readonly query: Fields
  /** Includes the fields of the request's named schemas, because the request log has the same
   *  pointers. */
  readonly request: Fields
  /** Excludes the fields of the response's named schemas. `uses` lists those schemas. */
  readonly response: Fields
  readonly uses: readonly string[]
}

export type Surface = {
  readonly operations: Readonly<Record<string, OperationSurface>>
  readonly schemas: Readonly<Record<string, Pick<OperationSurface, 'response' | 'uses'>>>
  readonly events: readonly string[]
}

const changeKinds = ['added', 'deprecated', 'removed'] as const
type Place = 'operation' | 'event' | 'query' | 'request' | 'response'

export type ApiChange = {
  readonly change: (typeof changeKinds)[number]
  readonly in: Place
  /** A pointer, a query parameter or an event type; absent for an operation. */
  readonly name?: string
  /** The schema whose responses have the field. */
  readonly schema?: string
  /** The operations that the change belongs to; empty for an event. */
  readonly operations: readonly string[]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nodes = (value: unknown): Node[] =>
  (Array.isArray(value) ? value : isNode(value) ? Object.values(value) : []).filter(isNode)
const nodeAt = (value: unknown, ...names: readonly string[]): Node | undefined => {
  let found = value
  for (const name of names) found = isNode(found) ? found[name] : undefined
  return isNode(found) ? found : undefined
}
const refName = (node: Node) => String(node['$ref']).split('/').at(-1) ?? ''

class Walk {
  readonly fields = new Set<string>()
  readonly uses = new Set<string>()

  /** With `open`, named schemas are also read, each once per path. */
  constructor(readonly open?: Node) {}

  of(node: Node | undefined, pointer = '#', within: readonly string[] = []): this {
    if (node === undefined) return this
    if (node['$ref'] !== undefined) {
      const name = refName(node)
      if (this.open === undefined) this.uses.add(name)
      else if (!within.includes(name)) {
        this.of(nodeAt(this.open, name), pointer, [...within, name])
      }
      return this
    }
    for (const word of ['allOf', 'anyOf', 'oneOf']) {
      for (const one of nodes(node[word])) this.of(one, pointer, within)
    }
    this.of(nodeAt(node, 'items'), `${pointer}/*`, within)
    for (const [name, child] of Object.entries(nodeAt(node, 'properties') ?? {})) {
      if (!isNode(child)) continue
      const below = `${pointer}/${name}`
      this.fields.add(child['deprecated'] === true ? `${below} deprecated` : below)
      this.of(child, below, within)
    }
    return this
  }
}

const jsonOf = (node: Node | undefined) =>
  nodeAt(node, 'content', 'application/json', 'schema') ??
  nodeAt(node, 'content', 'application/merge-patch+json', 'schema')

function operationSurface(node: Node, components: Node): OperationSurface {
  const success = Object.entries(nodeAt(node, 'responses') ?? {}).find(([at]) => at.startsWith('2'))
  const response = new Walk().of(jsonOf(isNode(success?.[1]) ? success[1] : undefined))
  const query = nodes(node['parameters']).filter(one => one['in'] === 'query')
  return {
    deprecated: node['deprecated'] === true,
    query: query.map(one => `${one['name']}${one['deprecated'] === true ? ' deprecated' : ''}`),
    request: [
      ...new Walk(nodeAt(components, 'schemas')).of(jsonOf(nodeAt(node, 'requestBody'))).fields,
    ],
    response: [...response.fields],
    uses: [...response.uses],
  }
}

/** The surface of one or more documents. Schemas with the same name must be the same. */
export function surfaceOf(...documents: readonly Node[]): Surface {
  const operations: Record<string, OperationSurface> = {}
  const schemas: Record<string, Surface['schemas'][string]> = {}
  const events = new Set<string>()
  for (const document of documents) {
    const components = nodeAt(document, 'components') ?? {}
    for (const row of nodes(document['paths']).flatMap(nodes)) {
      if (typeof row['operationId'] !== 'string') continue
      operations[row['operationId']] = operationSurface(row, components)
    }
    for (const [name, node] of Object.entries(nodeAt(components, 'schemas') ?? {})) {
      const { fields, uses } = new Walk().of(isNode(node) ? node : undefined)
      schemas[name] = { response: [...fields], uses: [...uses] }
    }
    for (const name of Object.keys(nodeAt(document, 'webhooks') ?? {})) events.add(name)
  }
  return { operations, schemas, events: [...events] }
}

type Difference = Pick<ApiChange, 'change'> & { readonly name: string }

/** A field that becomes deprecated is neither added nor removed. */
function differences(before: Fields, after: Fields): Difference[] {
  const plain = (fields: Fields) => new Set(fields.map(one => one.replace(/ deprecated$/, '')))
  const [old, now] = [plain(before), plain(after)]
  const ended = after.filter(one => one.endsWith(' deprecated') && !before.includes(one))
  return [
    ...[...now].filter(one => !old.has(one)).map(name => ({ change: 'added', name }) as const),
    ...ended
      .map(one => one.replace(/ deprecated$/, ''))
      .map(name => ({ change: 'deprecated', name }) as const),
    ...[...old].filter(one => !now.has(one)).map(name => ({ change: 'removed', name }) as const),
  ]
}

/** The operations whose responses have a schema, directly or inside another one. */
function operationsWith({ operations, schemas }: Surface, name: string): string[] {
  const reaches = (uses: readonly string[], seen: readonly string[]): boolean =>
    uses.some(
      one =>
        one === name || (!seen.includes(one) && reaches(schemas[one]?.uses ?? [], [...seen, one])),
    )
  return Object.keys(operations).filter(id => reaches(operations[id]?.uses ?? [], []))
}

function changesOfOperation(id: string, before: Surface, after: Surface): ApiChange[] {
  const [old, now] = [before.operations[id], after.operations[id]]
  if (old === undefined) return [{ change: 'added', in: 'operation', operations: [id] }]
  if (now === undefined) return [{ change: 'removed', in: 'operation', operations: [id] }]
  const fields = (['query', 'request', 'response'] as const).flatMap(place =>
    differences(old[place], now[place]).map(one => ({ ...one, in: place, operations: [id] })),
  )
  return now.deprecated && !old.deprecated
    ? [{ change: 'deprecated', in: 'operation', operations: [id] }, ...fields]
    : fields
}

/** The fields of a new operation or schema aren't separate changes. */
export function changesBetween(before: Surface, after: Surface): ApiChange[] {
  const ids = new Set([...Object.keys(before.operations), ...Object.keys(after.operations)])
  const inSchemas = Object.entries(after.schemas).flatMap(([schema, { response }]) =>
    differences(before.schemas[schema]?.response ?? response, response).map(one => ({
      ...one,
      in: 'response' as const,
      schema,
      operations: operationsWith(after, schema),
    })),
  )
  const events = differences(before.events, after.events).map(
    one => ({ ...one, in: 'event', operations: [] }) as const,
  )
  return [
    ...[...ids].flatMap(id => changesOfOperation(id, before, after)),
    ...inSchemas.filter(({ operations }) => operations.length > 0),
    ...events,
  ].toSorted((a, b) => changeKinds.indexOf(a.change) - changeKinds.indexOf(b.change))
}
