// Errors in a request's individual values.

export const faultCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'invalid_format',
  'invalid_json',
  'not_in_enum',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'not_unique',
  'unknown_reference',
  'mismatch',
  'not_allowed',
  'not_allowed_in_live',
  'invalid_cursor',
  'unsafe_url',
] as const

export type FaultCode = (typeof faultCodes)[number]

export type Fault = { pointer: string; code: FaultCode; message: string }

/** Escapes a name for a JSON pointer, then for a URI fragment (RFC 6901, section 6). */
export const escapePointer = (name: string) =>
  encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))
