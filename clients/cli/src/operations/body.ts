// A write's body: JSON from --data, then each `-d key=value` on top. The contract gives each
// value's type, so `-d quantity=4` is a number and `-d postal_code=94133` a string.

import { readFile } from 'node:fs/promises'
import { readStdin } from '../environment.ts'
import { usage } from '../errors.ts'
import type { Field } from '../../../generate/cli/row.ts'

type Json = Record<string, unknown>

/** Splits a path: `a.b[0].c` becomes a, b, 0, c. */
function stepsOf(path: string): (string | number)[] {
  const steps = path.matchAll(/(?:^|\.)([\w-]+)|\[(\d+)\]/g)
  const found = [...steps].map(([, name, index]) => (index === undefined ? name : Number(index)))
  const read = found
    .map((one, at) => (typeof one === 'number' ? `[${one}]` : `${at > 0 ? '.' : ''}${one}`))
    .join('')
  if (read !== path) throw usage(`-d ${path}: use name, name.inner or name[0]`)
  return found as (string | number)[]
}

function fieldAt(fields: readonly Field[], steps: readonly (string | number)[]) {
  let field: Field | undefined
  let among: readonly Field[] | undefined = fields
  for (const step of steps) {
    field = typeof step === 'number' ? field?.items : among?.find(({ name }) => name === step)
    among = field?.fields
  }
  return field
}

function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usage(`-d ${path} must be JSON, such as [] or {}`)
  }
}

/** Converts text to its field's type. An unknown field is sent as a string, which the API
 *  refuses. */
function valueOf(field: Field | undefined, path: string, text: string): unknown {
  if (text === 'null' && field?.isNullable) return null
  switch (field?.type) {
    case 'integer':
    case 'number':
      // Anything that isn't a number is sent as is, and the API's error names the field.
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'object':
    case 'any':
      return parsedJson(path, text)
    case 'array': {
      if (text.startsWith('[')) return parsedJson(path, text)
      const { items } = field
      return text === '' ? [] : text.split(',').map(one => valueOf(items, path, one.trim()))
    }
    default:
      return text
  }
}

function put(body: Json, steps: readonly (string | number)[], value: unknown): void {
  let at: Json | unknown[] = body
  for (const [index, step] of steps.entries()) {
    const place = at as Record<string | number, unknown>
    if (index === steps.length - 1) place[step] = value
    else {
      const isList = typeof steps[index + 1] === 'number'
      at = (place[step] ??= isList ? [] : {}) as Json | unknown[]
    }
  }
}

const refusedNames: ReadonlySet<string | number> = new Set([
  '__proto__',
  'constructor',
  'prototype',
])

/** Removes the byte order mark that some editors put at the start of a file. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, '')

async function textOf(data: string): Promise<string> {
  if (data === '@-') return withoutMark(await readStdin())
  if (!data.startsWith('@')) return data
  const read = readFile(data.slice(1), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`--data: couldn't read ${data.slice(1)} (${error.code})`)
  })
  return withoutMark(await read)
}

export type BodyFlags = { readonly data?: string; readonly d?: readonly string[] }

/** `given` is whether there was input; an operation without required fields accepts an empty
 *  body. */
export async function bodyOf(
  { data, d = [] }: BodyFlags,
  fields: readonly Field[],
): Promise<{ body: Json; given: boolean }> {
  let body: Json = {}
  if (data !== undefined) {
    const text = await textOf(data)
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      throw usage('--data must be JSON, @file.json, or @- for standard input')
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      throw usage('--data must be a JSON object')
    }
    body = parsed as Json
  }
  for (const one of d) {
    const at = one.indexOf('=')
    if (at < 1) throw usage(`-d ${one}: use key=value`)
    const path = one.slice(0, at)
    const steps = stepsOf(path)
    if (steps.some(step => refusedNames.has(step))) throw usage(`-d ${path} must be a field`)
    put(body, steps, valueOf(fieldAt(fields, steps), path, one.slice(at + 1)))
  }
  return { body, given: data !== undefined || d.length > 0 }
}
