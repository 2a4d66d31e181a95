// The building blocks of schemas: IDs, timestamps, nullable fields, lists. Our own keywords
// (`x-earliest`, `x-latest`, `x-cursor`, `x-webhook`) express rules that JSON Schema can't.
// clinical/pipeline/validate.ts enforces them, and OpenAPI documents treat them as annotations.

import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'
import { idPattern, type Noun, prefixes } from './ids.ts'

type Options = Record<string, unknown>

export const phonePattern = '^\\+[1-9]\\d{6,14}$'
export const postalCodePattern = '^\\d{5}(-\\d{4})?$'
export const httpsPattern = '^https://'
/** Excludes path separators, control and text direction characters, and the names . and .. */
export const filenamePattern =
  '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+$'

/** No FHIR ID has an underscore, so a search for one of our IDs would silently find nothing. */
export const fhirIdPattern = '^[^_]*$'

export const fileKindPattern = '^[a-z][a-z0-9_]{0,63}$'

/** Names in a destination's settings. None can refer to another host or folder. */
export const regionPattern = '^[a-z]{2}(-[a-z]+){1,2}-\\d$'
export const accountPattern = '^\\d{12}$'
export const resourcePattern = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
export const namespacePattern = '^[A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9]$'
export const prefixPattern = '^([A-Za-z0-9][A-Za-z0-9._=-]*/)*$'

/** The ID of one kind of resource. */
export const idOf = (noun: Noun, options: Options = {}) =>
  Type.String({ pattern: idPattern(prefixes[noun]), ...options })

/** `YYYY-MM-DDTHH:MM:SS.sssZ` in responses; requests may use any RFC 3339 offset or a bare date. */
export const moment = (options: Options = {}) => Type.String({ format: 'date-time', ...options })

export const day = (options: Options = {}) => Type.String({ format: 'date', ...options })

/** Text between two lengths, counted in Unicode code points. */
export const text = (minLength: number, maxLength: number, options: Options = {}) =>
  Type.String({ minLength, maxLength, ...options })

export const whole = (minimum: number, maximum: number, options: Options = {}) =>
  Type.Integer({ minimum, maximum, ...options })

/** One of a closed list of values. */
export const oneOf = <const V extends string>(values: readonly V[], options: Options = {}) =>
  Type.Unsafe<V>({ type: 'string', enum: values, ...options })

/** A value from a list that may grow: clients must accept unknown values. */
export const openWord = (values: readonly string[], options: Options = {}) =>
  Type.String({ 'x-open-enum': values, ...options })

/** The same schema, or null. */
export function nullable<S extends TSchema>(
  schema: S,
  options: Options = {},
): TUnsafe<Static<S> | null> {
  const plain = { ...(schema as Options), ...options }
  if (typeof plain['type'] === 'string' && plain['$id'] === undefined) {
    const values = plain['enum']
    const listed = Array.isArray(values) ? { enum: [...values, null] } : {}
    return Type.Unsafe<Static<S> | null>({ ...plain, ...listed, type: [plain['type'], 'null'] })
  }
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...options })
}

/** A closed object, for requests: unlisted fields are refused. */
export const closed = <const P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** A schema that the document publishes by name. */
export const named = <const P extends Record<string, TSchema>>(
  $id: string,
  description: string,
  properties: P,
  options: Options = {},
) => Type.Object(properties, { $id, description, ...options })

/** The envelope of every list. */
export const listOf = <S extends TSchema>(item: S) =>
  Type.Object(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'Whether there is another page.' }),
    },
    { description: 'Items in ascending order of ID. There is no total count.', 'x-list': true },
  )
