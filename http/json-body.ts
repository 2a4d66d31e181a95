// The one reader of JSON bodies: bounded, timed, UTF-8, no deeper than its limit, and no name twice
// in one object. What is wrong with a body is data, because a credential, a rate limit and a scope
// are all judged before it.
import { isOn, Problem, type Surface } from '#contract/problems.ts'
import { readBytes } from './read-bytes.ts'

export type BodyLimits = {
  readonly bytesMax: number
  readonly depthMax: number
  /** Whether `application/ld+json` and its like are JSON as well, in whatever profile. */
  readonly takesJsonSuffix: boolean
  /** From the head of a request to the end of its body. */
  readonly milliseconds: number
}

/** What is wrong with a body, in words that hold nothing of it. */
export class BodyFault {
  constructor(
    readonly kind: 'too_large' | 'too_slow' | 'cut_off' | 'media_type' | 'json',
    readonly message: string,
  ) {}

  /** Whether bytes may still be on their way, so that the connection cannot serve another call. */
  get isUnread(): boolean {
    return this.kind === 'too_slow' || this.kind === 'cut_off'
  }
}

/** The fault as the problem that a surface answers with. */
export function bodyProblem(
  { kind, message }: BodyFault,
  surface: Surface,
  { bytesMax }: BodyLimits,
  hint?: string,
): Problem {
  if (kind === 'too_large') {
    const members = { limit_bytes: bytesMax }
    return new Problem('payload_too_large', { detail: message, members })
  }
  if (kind === 'media_type') {
    const headers = { 'accept-post': 'application/json' }
    return new Problem('unsupported_media_type', { detail: message, headers })
  }
  if (kind === 'too_slow' && isOn('request_timeout', surface)) {
    return new Problem('request_timeout', { detail: message })
  }
  return new Problem('invalid_request', {
    detail: 'The body must be a JSON object in UTF-8.',
    errors: [{ pointer: '#', code: 'invalid_json', message }],
    ...(hint === undefined ? {} : { hint }),
  })
}

export type Bytes = Uint8Array<ArrayBuffer>

/** A body to its end. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Bytes | BodyFault> {
  const { bytesMax, milliseconds } = limits
  const bytes = await readBytes(request, bytesMax, milliseconds)
  if (bytes === 'too large') {
    return new BodyFault('too_large', `The body must not be larger than ${bytesMax} bytes.`)
  }
  if (bytes === 'cut off')
    return new BodyFault('cut_off', 'The body must be complete. It ended early.')
  if (bytes === 'too slow') {
    const seconds = milliseconds / 1000
    return new BodyFault('too_slow', `The body must end within ${seconds} seconds.`)
  }
  return bytes
}

const exactType = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?;?$/i
const anyJsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Whether a Content-Type says JSON. */
export const isJsonType = (type: string | null): boolean =>
  type !== null && anyJsonType.test(type.trim())

/** The object of a body; undefined where the body is empty. */
export function parseObject(
  bytes: Bytes,
  headers: Headers,
  limits: BodyLimits,
): object | undefined | BodyFault {
  if (bytes.length === 0) return undefined
  const fault = mediaFault(headers, limits)
  if (fault !== undefined) return new BodyFault('media_type', fault)
  const read = parseJson(bytes, limits.depthMax)
  if (read instanceof BodyFault) return read
  const { value } = read
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return new BodyFault('json', 'The body must be a JSON object.')
}

function mediaFault(headers: Headers, limits: BodyLimits): string | undefined {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    return 'The body has a Content-Encoding.'
  }
  const type = headers.get('content-type')
  if (type === null) return 'The Content-Type header is missing.'
  const isJson = limits.takesJsonSuffix ? isJsonType(type) : exactType.test(type.trim())
  return isJson ? undefined : 'Content-Type must be application/json in UTF-8.'
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a body, in a box, because `null` is JSON as well. */
export function parseJson(bytes: Uint8Array, depthMax: number): { value: unknown } | BodyFault {
  const names = countNames(bytes, depthMax)
  if (names === null) {
    return new BodyFault('json', `The body is nested over ${depthMax} levels deep.`)
  }
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    return new BodyFault('json', 'The body must be valid JSON in UTF-8.')
  }
  // The parser keeps the last of two members of one name, so fewer members are left than names.
  // Counting both costs 0.3 of the 1.8 µs that a body of 500 bytes takes.
  if (names !== countMembers(value)) {
    return new BodyFault('json', 'The body must not repeat a name within an object.')
  }
  return { value }
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/** Colons outside strings, which are the names of JSON; null where brackets nest too deep: the
 *  parser would recurse once for each of a million. */
function countNames(bytes: Uint8Array, depthMax: number): number | null {
  let names = 0
  let depth = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === colon) names++
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) return null
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return names
}

/** No deeper than `countNames` let the text be. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = values === value ? 0 : values.length
  for (const item of values) {
    if (typeof item === 'object' && item !== null) members += countMembers(item)
  }
  return members
}
