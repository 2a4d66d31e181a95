// A request body's shape, for the request log: the names that the operation's schema defines, each
// with its value's JSON types and an array's length, and the number of other names. It never
// contains a value or an unknown name, because a name may be a patient's value.
//
// It's compact because the audit stores it: `{"first_name":"string","consent_ids":"array 2"}`. A
// nested field is `address/city`, and a field inside an array is `answers/*/value`. The count of
// unknown names has an empty path.

import type { AnyOperation } from '#contract/operation.ts'
import { type Shape, shapeOf } from './validate.ts'

/** Only the start of a longer array decides its item types. */
const itemsMax = 100

type FieldTypes = Record<string, string>

/** Returns null if there's no body, or if it couldn't be read. */
export function bodyShapeOf(schema: AnyOperation['body'], body: unknown): string | null {
  if (schema === undefined || body === undefined) return null
  const found: FieldTypes = {}
  const shape = schema === 'none' ? {} : shapeOf(schema)
  const unknown = typeof body === 'object' ? readMembers(shape, body ?? {}, '', found) : 0
  if (unknown > 0) found[''] = String(unknown)
  return JSON.stringify(found)
}

/** Returns how many names the schema doesn't define. */
function readMembers(shape: Shape, value: object, at: string, found: FieldTypes): number {
  const members = value as Record<string, unknown>
  let known = 0
  let unknown = 0
  for (const name in shape.properties) {
    if (!Object.hasOwn(members, name)) continue
    known++
    unknown += read(shape.properties[name] ?? {}, members[name], at + name, found)
  }
  return unknown + Object.keys(members).length - known
}

function read(shape: Shape, value: unknown, at: string, found: FieldTypes): number {
  const whole = shape.anyOf?.find(one => one.type !== 'null') ?? shape
  if (Array.isArray(value)) {
    add(found, at, `array ${value.length}`)
    let unknown = 0
    for (let index = 0; index < value.length && index < itemsMax; index++)
      unknown += read(whole.items ?? {}, value[index], `${at}/*`, found)
    return unknown
  }
  const type = value === null ? 'null' : typeof value
  add(found, at, type)
  return type === 'object' ? readMembers(whole, value as object, `${at}/`, found) : 0
}

/** An array's items may have several types: `string|null`. */
function add(found: FieldTypes, at: string, type: string): void {
  const before = found[at]
  if (before === undefined) found[at] = type
  else if (!before.split('|').includes(type)) found[at] = `${before}|${type}`
}
