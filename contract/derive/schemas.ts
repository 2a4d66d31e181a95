// The table's schemas in OpenAPI form: named schemas become references to components, lists become
// the envelope with their items, and internal keywords are omitted.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { listOf } from '../shapes.ts'

export type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords that only our validator reads. */
const internal: ReadonlySet<string> = new Set(['$id', 'x-cursor', 'x-list', 'x-webhook'])

/** The envelope for any kind of item, built by the same function as every list. */
const anyList: unknown = listOf(Type.Unknown())

const schemaRef = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** A timestamp's bounds in words, because our keywords aren't standard. */
function bounds(node: Node): string {
  const earliest = node['x-earliest']
  const text = [
    ...(typeof earliest === 'string' ? [`not before ${earliest}`] : []),
    ...(node['x-latest'] === 'now' ? ['not in the future'] : []),
    ...(node['x-latest'] === 'skew'
      ? [`at most ${limits.clockSkewSeconds} seconds in the future`]
      : []),
  ].join(', ')
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Rewrites schemas and collects the named ones that they refer to. */
export class Schemas {
  readonly #named = new Map<string, Node>()
  /** `examples` is by schema name. */
  constructor(readonly examples: Readonly<Record<string, unknown>>) {}

  /** Returns the schema with every named schema inside it replaced by a reference. */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(one => this.refer(one))
    if (!isNode(schema)) return schema
    const name = schema['$id']
    if (typeof name === 'string') return this.#name(name, schema)
    return schema['x-list'] === true ? this.#list(schema) : this.#rewrite(schema)
  }

  /** The components so far, by name, in alphabetical order. */
  get components(): Node {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #name(name: string, schema: Node): Node {
    if (!this.#named.has(name)) {
      this.#named.set(name, {})
      const example = this.examples[name]
      const examples = example === undefined ? {} : { examples: [example] }
      this.#named.set(name, { ...this.#rewrite(schema), ...examples })
    }
    return schemaRef(name)
  }

  #list(schema: Node): Node {
    if (!this.#named.has('List') && isNode(anyList)) this.#named.set('List', this.#rewrite(anyList))
    const data = isNode(schema['properties']) ? schema['properties']['data'] : undefined
    const items = isNode(data) ? this.refer(data['items']) : {}
    const properties = { data: { type: 'array', items } }
    return { allOf: [schemaRef('List'), { type: 'object', properties }] }
  }

  #rewrite(schema: Node): Node {
    const kept = Object.entries(schema).filter(([keyword]) => !internal.has(keyword))
    const node = Object.fromEntries(
      kept.map(([keyword, value]) => [keyword, this.#value(keyword, value)]),
    )
    const description = [node['description'], bounds(node)].filter(Boolean).join(' ')
    return description ? { ...node, description } : node
  }

  /** The keys of `properties` are names, not keywords. Of the other keywords, only the ones below
   *  contain schemas. */
  #value(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' && isNode(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.refer(one)]))
    }
    return ['items', 'anyOf', 'allOf', 'oneOf', 'additionalProperties'].includes(keyword)
      ? this.refer(value)
      : value
  }
}
