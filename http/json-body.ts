// The body of a write: read once, bounded, and judged without recursion. What is wrong with it is
// data, because a credential, a rate limit and a scope are all judged before it (contract/01,
// section 2).

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { readBytes } from './read-bytes.ts'

export type ReadBody = {
  /** Undefined when the body is empty. */
  body: unknown
  refused: Problem | null
  /** Whether bytes may still be on their way, so that the connection cannot serve another call. */
  unread: boolean
}

const mediaType = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?;?$/i

const refused = (problem: Problem, unread = false): ReadBody => ({
  body: undefined,
  refused: problem,
  unread,
})

const tooLarge = () =>
  new Problem('payload_too_large', {
    detail: `The body is larger than ${limits.bodyBytesMax} bytes.`,
    members: { limit_bytes: limits.bodyBytesMax },
  })

const notJson = (message: string) =>
  new Problem('invalid_request', {
    detail: 'The body must be a JSON object in UTF-8.',
    errors: [{ pointer: '#', code: 'invalid_json', message }],
  })

export async function readBody(
  request: Request,
  milliseconds: number = limits.bodySecondsMax * 1000,
): Promise<ReadBody> {
  const bytes = await readBytes(request, limits.bodyBytesMax, milliseconds)
  if (bytes === 'too large') return refused(tooLarge())
  if (bytes === 'cut off')
    return refused(notJson('The body must be complete. It ended early.'), true)
  if (bytes === 'too slow') {
    const seconds = milliseconds / 1000
    return refused(notJson(`The body must end within ${seconds} seconds.`), true)
  }
  if (bytes.length === 0) return { body: undefined, refused: null, unread: false }
  const wrongType = mediaFault(request.headers)
  if (wrongType) return refused(new Problem('unsupported_media_type', { detail: wrongType }))
  return parse(bytes)
}

function mediaFault(headers: Headers): string | null {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    return 'The body has a Content-Encoding.'
  }
  const type = headers.get('content-type')
  if (type === null) return 'The Content-Type header is missing.'
  return mediaType.test(type.trim()) ? null : 'Content-Type must be application/json in UTF-8.'
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array): ReadBody {
  if (isDeeper(bytes, limits.bodyDepthMax)) {
    return refused(
      notJson(`The body must not be nested more than ${limits.bodyDepthMax} levels deep.`),
    )
  }
  let body: unknown
  try {
    body = JSON.parse(decoder.decode(bytes))
  } catch {
    return refused(notJson('The body must be valid JSON in UTF-8.'))
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused(notJson('The body must be a JSON object.'))
  }
  return { body, refused: null, unread: false }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside strings. The parser would recurse once for each of a million. */
export function isDeeper(bytes: Uint8Array, depthMax: number): boolean {
  let depth = 0
  let inside = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inside) {
      if (byte === backslash) at++
      else if (byte === quote) inside = false
    } else if (byte === quote) inside = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}
