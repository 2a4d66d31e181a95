// Contract schemas as a language's types: every object and every list of words has a name, and no
// validator-only keywords remain.

import type { Noun } from '#contract/ids.ts'
import { prefixes } from '#contract/ids.ts'
import { type Place, typeNameOf, wordNameOf } from './names.ts'

export type TypeReference =
  | { readonly kind: 'string'; readonly format?: string; readonly noun?: Noun }
  | { readonly kind: 'integer' | 'boolean' | 'unknown' }
  | { readonly kind: 'constant'; readonly value: string | number | boolean }
  /** One of the listed values or, if `isOpen`, a value that a later API version adds. */
  | {
      readonly kind: 'words'
      readonly values: readonly string[]
      readonly name?: string
      readonly isOpen: boolean
    }
  | { readonly kind: 'array'; readonly items: TypeReference }
  /** An object with arbitrary keys. */
  | { readonly kind: 'map'; readonly values: TypeReference }
  | { readonly kind: 'nullable'; readonly of: TypeReference }
  | { readonly kind: 'named'; readonly name: string }

export type Field = {
  readonly name: string
  readonly type: TypeReference
  readonly isRequired: boolean
  readonly description?: string
  /** The API's default when the field is absent. */
  readonly default?: unknown
}

export type NamedType = {
  readonly name: string
  readonly description?: string
  /** Whether clients send this type; otherwise they receive it. */
  readonly isInput: boolean
  readonly fields: readonly Field[]
}

export type Words = { readonly name: string; readonly values: readonly string[] }

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'

const nounByPrefix = new Map<string, Noun>(
  Object.entries(prefixes).map(([noun, prefix]) => [prefix, noun as Noun]),
)

/** An ID's noun, from the pattern that `idOf` puts in its schema. */
export function nounOfPattern(schema: Node): Noun | undefined {
  const pattern = schema['pattern']
  const prefix = isText(pattern) ? /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1] : undefined
  return prefix === undefined ? undefined : nounByPrefix.get(prefix)
}

/** Collects the types of every schema it receives. */
export class Shapes {
  readonly #types = new Map<string, NamedType>()
  readonly #words = new Map<string, Words>()
  /** Type names by content, so two identical request objects share one type. */
  readonly #alike = new Map<string, string>()

  get types(): NamedType[] {
    return [...this.#types.values()]
  }

  get words(): Words[] {
    return [...this.#words.values()]
  }

  /** Adds an object under its own name. */
  add(name: string, schema: unknown, isInput: boolean, description?: string): TypeReference {
    if (!isNode(schema) || !isNode(schema['properties']))
      throw new Error(`${name} is not an object`)
    if (this.#types.has(name)) return { kind: 'named', name }
    const text = description ?? (isText(schema['description']) ? schema['description'] : undefined)
    const about = text === undefined ? {} : { description: text }
    // Adds the type before the types that it refers to.
    this.#types.set(name, { name, ...about, isInput, fields: [] })
    this.#types.set(name, { name, ...about, isInput, fields: this.#fields(name, schema, isInput) })
    return { kind: 'named', name }
  }

  #fields(parent: string, schema: Node, isInput: boolean): Field[] {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const properties = isNode(schema['properties']) ? schema['properties'] : {}
    return Object.entries(properties).map(([name, value]) => {
      const description = isNode(value) ? value['description'] : undefined
      return {
        name,
        type: this.refer(value, { parent, field: name, isInput }),
        isRequired: required.includes(name),
        ...(isText(description) ? { description } : {}),
        ...(isNode(value) && 'default' in value ? { default: value['default'] } : {}),
      }
    })
  }

  /** The type of a schema in its position. */
  refer(schema: unknown, place: Place): TypeReference {
    if (!isNode(schema)) return { kind: 'unknown' }
    const either = schema['anyOf']
    if (Array.isArray(either)) return { kind: 'nullable', of: this.refer(either[0], place) }
    const type = schema['type']
    if (Array.isArray(type)) {
      const { default: _, ...rest } = schema
      return { kind: 'nullable', of: this.refer({ ...rest, type: type[0] }, place) }
    }
    const constant = schema['const']
    if (isText(constant) || typeof constant === 'number' || typeof constant === 'boolean') {
      return { kind: 'constant', value: constant }
    }
    const [listed, open] = [schema['enum'], schema['x-open-enum']]
    if (Array.isArray(listed)) return this.#wordsOf(listed.filter(isText), place, false)
    if (Array.isArray(open)) return this.#wordsOf(open.filter(isText), place, true)
    return this.#plain(schema, place)
  }

  #plain(schema: Node, place: Place): TypeReference {
    switch (schema['type']) {
      case 'string': {
        const [noun, format] = [nounOfPattern(schema), schema['format']]
        return { kind: 'string', ...(isText(format) ? { format } : {}), ...(noun ? { noun } : {}) }
      }
      case 'integer':
      case 'number':
        return { kind: 'integer' }
      case 'boolean':
        return { kind: 'boolean' }
      case 'array':
        return { kind: 'array', items: this.refer(schema['items'], { ...place, isItem: true }) }
      case 'object':
        return this.#object(schema, place)
      default:
        return { kind: 'unknown' }
    }
  }

  #object(schema: Node, place: Place): TypeReference {
    const named = schema['$id']
    if (isText(named)) return this.add(named, schema, false)
    const properties = schema['properties']
    if (!isNode(properties) || Object.keys(properties).length === 0) {
      const values = schema['additionalProperties']
      return {
        kind: 'map',
        values: isNode(values) ? this.refer(values, place) : { kind: 'unknown' },
      }
    }
    const content = JSON.stringify([properties, schema['required']])
    const known = place.isInput ? this.#alike.get(content) : undefined
    if (known !== undefined) return { kind: 'named', name: known }
    const name = typeNameOf(place)
    if (this.#types.has(name)) throw new Error(`two types would be called ${name}`)
    this.#alike.set(content, name)
    // A field's description doesn't describe its type.
    return this.add(name, { ...schema, description: undefined }, place.isInput)
  }

  #wordsOf(values: string[], place: Place, isListOpen: boolean): TypeReference {
    // A single-value list in a response stays open: a patient's status is `deleted` in one event.
    const isOpen = isListOpen || (values.length < 2 && !place.isInput)
    if (values.length < 2) return { kind: 'words', values, isOpen }
    const content = JSON.stringify(values)
    const known = this.#words.get(content)?.name
    const name = known ?? wordNameOf(place)
    if (known === undefined) {
      const taken = [...this.#words.values()].some(one => one.name === name)
      if (taken || this.#types.has(name)) throw new Error(`two types would be called ${name}`)
      this.#words.set(content, { name, values })
    }
    return { kind: 'words', values, name, isOpen }
  }
}
