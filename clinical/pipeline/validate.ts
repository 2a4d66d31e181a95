// Reads a request value by its schema in one pass: every fault in document order with its pointer,
// defaults filled in, moments brought to one form. A library's checker would stop at "is it valid";
// the contract promises a stable code and a pointer for each fault (contract/04, section 3).

import type { TSchema } from 'typebox'
import { didYouMean } from '#http/did-you-mean.ts'
import { limits } from '#contract/limits.ts'
import type { Fault, FaultCode } from '#contract/problems.ts'
import { httpsPattern, phonePattern, postalCodePattern } from '#contract/shapes.ts'
import { formats } from './formats.ts'

/** The part of JSON Schema that contract/shapes.ts writes. */
export type Shape = {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  'x-earliest'?: string
  'x-latest'?: string
  'x-cursor'?: boolean
}

export const shapeOf = (schema: TSchema): Shape => schema as Shape

/** The moment is an argument: "not in the future" is judged once for the whole request. */
export class Reader {
  readonly faults: Fault[] = []
  constructor(readonly now: number) {}

  refuse(pointer: string, code: FaultCode, message: string): undefined {
    if (this.faults.length < limits.faultsMax) this.faults.push({ pointer, code, message })
    return undefined
  }

  read(shape: Shape, value: unknown, pointer: string, name: string): unknown {
    if (shape.anyOf) {
      if (value === null && shape.anyOf.some(one => one.type === 'null')) return null
      const filled = shape.anyOf.find(one => one.type !== 'null')
      return filled ? this.read(filled, value, pointer, name) : value
    }
    const types = typeof shape.type === 'string' ? [shape.type] : (shape.type ?? [])
    if (value === null && types.includes('null')) return null
    if (types.includes('object')) return this.object(shape, value, pointer, name)
    if (types.includes('array')) return this.array(shape, value, pointer, name)
    if (types.includes('string')) return this.text(shape, value, pointer, name)
    if (types.includes('integer')) return this.whole(shape, value, pointer, name)
    if (types.includes('boolean') && typeof value !== 'boolean') {
      return this.refuse(pointer, 'wrong_type', `${name} is true or false.`)
    }
    return value
  }

  private object(shape: Shape, value: unknown, pointer: string, name: string): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.refuse(pointer, 'wrong_type', `${name} is an object.`)
    }
    const { all, properties } = propertiesOf(shape)
    const members = value as Record<string, unknown>
    const read: Record<string, unknown> = {}
    for (const key of Object.keys(members)) {
      const inner = members[key]
      const property = properties.get(key)
      // A name of ours needs no escapes, and most names are ours.
      const at = `${pointer}/${property ? key : escapePointer(key)}`
      if (!property)
        this.refuse(at, 'unknown_field', `${short(key)} is not a field of this request.`)
      else if (inner === null && shape.required?.includes(key) && !takesNull(property)) {
        this.refuse(at, 'required', `${key} is required.`)
      } else read[key] = this.read(property, inner, at, key)
    }
    for (const [key, property] of all) {
      if (Object.hasOwn(value, key)) continue
      if (shape.required?.includes(key)) {
        this.refuse(`${pointer}/${escapePointer(key)}`, 'required', `${key} is required.`)
      } else if (property.default !== undefined) read[key] = property.default
    }
    return read
  }

  private array(shape: Shape, value: unknown, pointer: string, name: string): unknown {
    if (!Array.isArray(value)) return this.refuse(pointer, 'wrong_type', `${name} is a list.`)
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = shape
    if (value.length < minItems) {
      return this.refuse(pointer, 'too_few', `${name} has at least ${minItems} items.`)
    }
    if (value.length > maxItems) {
      return this.refuse(pointer, 'too_many', `${name} has at most ${maxItems} items.`)
    }
    const seen = new Set<unknown>()
    return value.map((item, at) => {
      if (shape.uniqueItems && seen.has(item)) {
        return this.refuse(`${pointer}/${at}`, 'not_unique', `${name} names each item once.`)
      }
      seen.add(item)
      return this.read(items, item, `${pointer}/${at}`, `${name}[${at}]`)
    })
  }

  private whole(shape: Shape, value: unknown, pointer: string, name: string): unknown {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return this.refuse(pointer, 'wrong_type', `${name} is a whole number.`)
    }
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = shape
    if (value < minimum) return this.refuse(pointer, 'too_small', `${name} is at least ${minimum}.`)
    if (value > maximum) return this.refuse(pointer, 'too_large', `${name} is at most ${maximum}.`)
    return value === 0 ? 0 : value
  }

  private text(shape: Shape, value: unknown, pointer: string, name: string): unknown {
    if (typeof value !== 'string') return this.refuse(pointer, 'wrong_type', `${name} is a text.`)
    if (value.includes('\0') || !value.isWellFormed()) {
      return this.refuse(pointer, 'invalid_format', `${name} holds a character that is no text.`)
    }
    if (shape.enum && !shape.enum.includes(value)) {
      return this.refuse(pointer, 'not_in_enum', `${name} is one of ${listed(shape.enum, value)}.`)
    }
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape
    const length = codePoints(value)
    if (length < minLength) {
      return this.refuse(pointer, 'too_short', `${name} has at least ${plural(minLength)}.`)
    }
    if (length > maxLength) {
      return this.refuse(pointer, 'too_long', `${name} has at most ${plural(maxLength)}.`)
    }
    if (shape.pattern && !patternOf(shape.pattern).test(value)) {
      const cursor = shape['x-cursor'] === true
      const message = cursor
        ? `${name} is the id of an item of this list.`
        : `${name} ${formOf(shape.pattern)}.`
      return this.refuse(pointer, cursor ? 'invalid_cursor' : 'invalid_format', message)
    }
    return shape.format ? this.formatted(shape, shape.format, value, pointer, name) : value
  }

  private formatted(shape: Shape, format: string, value: string, pointer: string, name: string) {
    const known = formats[format]
    const read = known ? known.read(value) : value
    if (read === null) {
      // An address writes a plus as %2B; one that was not comes as a space before the offset.
      const isSpaced = pointer.startsWith('?') && known?.read(value.replace(' ', '+')) !== null
      const cure = isSpaced ? ' In an address, + is written %2B.' : ''
      return this.refuse(pointer, 'invalid_format', `${name} is ${known?.says}.${cure}`)
    }
    const earliest = shape['x-earliest']
    if (earliest && read < earliest) {
      return this.refuse(pointer, 'too_small', `${name} is ${earliest} or later.`)
    }
    const today = new Date(this.now).toISOString()
    const latest = format === 'date' ? today.slice(0, 10) : today
    if (shape['x-latest'] === 'now' && read > latest) {
      return this.refuse(pointer, 'too_large', `${name} is not in the future.`)
    }
    return read
  }
}

type Properties = { all: [name: string, shape: Shape][]; properties: Map<string, Shape> }
const known = new WeakMap<Shape, Properties>()

/** The members that a shape has, listed once. */
function propertiesOf(shape: Shape): Properties {
  let found = known.get(shape)
  if (found === undefined) {
    const all = Object.entries(shape.properties ?? {})
    known.set(shape, (found = { all, properties: new Map(all) }))
  }
  return found
}

const takesNull = (shape: Shape): boolean =>
  shape.type === 'null' ||
  (Array.isArray(shape.type) && shape.type.includes('null')) ||
  (shape.anyOf ?? []).some(takesNull)

const patterns = new Map<string, RegExp>()
function patternOf(source: string): RegExp {
  let pattern = patterns.get(source)
  if (!pattern) patterns.set(source, (pattern = new RegExp(source, 'u')))
  return pattern
}

function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count++
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xdc00) at++
  }
  return count
}

/** Which form was meant. An id's pattern begins with its prefix; others are told by example. */
function formOf(pattern: string): string {
  const prefix = /^\^([a-z]+_)\[0-7\]/.exec(pattern)?.[1]
  if (prefix) return `is an id that begins with ${prefix}`
  const example = examples[pattern]
  return example ? `has the form of ${example}` : 'has the wrong form'
}

const examples: Readonly<Record<string, string | undefined>> = {
  [phonePattern]: '+12025550100 (E.164)',
  [postalCodePattern]: '10001 or 10001-0001',
  [httpsPattern]: 'https://example.com/path',
}

const plural = (count: number) => (count === 1 ? '1 character' : `${count} characters`)
const listed = (words: readonly unknown[], given: string): string =>
  words.length > 12
    ? `the ${words.length} values in the contract, such as ${suggestion(words, given)}`
    : words.filter(word => word !== null).join(', ')

/** The value that was meant most likely. What was given is not repeated. */
function suggestion(words: readonly unknown[], given: string): string {
  const texts = words.filter(word => typeof word === 'string')
  return didYouMean(given, texts) ?? texts[0] ?? ''
}

/** A name that the caller made up, bounded before it is said back. */
export const short = (name: string) => (name.length > 64 ? `${name.slice(0, 64)}…` : name)

/** RFC 6901 in a URI fragment: the pointer's own escapes, then those of the fragment. */
export const escapePointer = (name: string) =>
  encodeURIComponent(short(name).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))
