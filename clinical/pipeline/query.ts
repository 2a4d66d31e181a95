// Query parameters, validated by the same schemas as bodies. Each parameter may appear once.
// Unknown parameters are refused, because ignoring a misspelled filter would return an unfiltered
// list.

import type { TObject } from 'typebox'
import { fieldMessage } from '#contract/messages/field-messages.ts'
import { type Reader, shapeOf, short, type Shape } from './validate.ts'

/** Converts the parameter's text to its schema's type, if possible. */
function typed(shape: Shape, text: string): unknown {
  if (shape.type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (shape.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** Reads the parameters and adds faults to the reader's, with `?name` as their pointer. */
export function readQuery(reader: Reader, schema: TObject | undefined, query: URLSearchParams) {
  const { properties = {}, required = [] }: Shape = schema ? shapeOf(schema) : {}
  const read: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const [name, text] of query) {
    if (reader.isFull) return read
    const pointer = `?${encodeURIComponent(short(name).toWellFormed())}`
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (seen.has(name))
      reader.refuse(pointer, 'not_unique', fieldMessage.repeatedParameter(short(name)))
    else if (!shape) {
      const free = Object.keys(properties).filter(one => !query.has(one))
      reader.refuse(pointer, 'unknown_field', fieldMessage.unknownParameter(short(name), free))
    } else if (!reader.hasRefused(pointer)) {
      read[name] = reader.read(shape, typed(shape, text), pointer, name)
    }
    seen.add(name)
  }
  for (const [name, shape] of Object.entries(properties)) {
    if (seen.has(name)) continue
    if (required.includes(name)) reader.refuse(`?${name}`, 'required', fieldMessage.required(name))
    else if (shape.default !== undefined) read[name] = shape.default
  }
  return read
}
