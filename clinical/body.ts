// The body of a write: read once, bounded, and judged without recursion. What is wrong with it is
// data, because a credential, a rate limit and a scope are all judged before it (contract/01,
// section 2).

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'

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
    detail: `The body is over ${limits.bodyBytesMax} bytes.`,
    members: { limit_bytes: limits.bodyBytesMax },
  })

const notJson = (message: string) =>
  new Problem('invalid_request', {
    detail: 'The body is not one JSON object in UTF-8.',
    errors: [{ pointer: '#', code: 'invalid_json', message }],
  })

export async function readBody(
  request: Request,
  milliseconds: number = limits.bodySecondsMax * 1000,
): Promise<ReadBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytesMax) {
    return refused(tooLarge(), true)
  }
  const bytes = await readBytes(request, milliseconds)
  if (bytes === 'too large') return refused(tooLarge())
  if (bytes === 'cut off') return refused(notJson('The body ended early.'), true)
  if (bytes === 'too slow') {
    const seconds = milliseconds / 1000
    return refused(notJson(`The body did not end within ${seconds} seconds.`), true)
  }
  if (bytes.length === 0) return { body: undefined, refused: null, unread: false }
  const wrongType = mediaFault(request.headers)
  if (wrongType) return refused(new Problem('unsupported_media_type', { detail: wrongType }))
  return parse(bytes)
}

type Fault = 'too large' | 'too slow' | 'cut off'

/** The server cuts a body at the length that it declares, so this one cannot grow, and reading it
 *  whole costs a third of reading it piece by piece. */
async function readWhole(request: Request, milliseconds: number): Promise<Uint8Array | Fault> {
  const late = Promise.withResolvers<Fault>()
  const timer = setTimeout(() => late.resolve('too slow'), milliseconds)
  const whole = request.bytes().catch((): Fault => 'cut off')
  return Promise.race([whole, late.promise]).finally(() => clearTimeout(timer))
}

/** Bytes are counted as they come: a chunked body declares no length. */
async function readBytes(request: Request, milliseconds: number): Promise<Uint8Array | Fault> {
  const { headers } = request
  if (headers.has('content-length') && !headers.has('transfer-encoding')) {
    return readWhole(request, milliseconds)
  }
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const ends = performance.now() + milliseconds
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), milliseconds)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done && performance.now() >= ends) return 'too slow'
      if (done) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      length += value.length
      if (length > limits.bodyBytesMax) {
        void discard(reader)
        return 'too large'
      }
      chunks.push(value)
    }
  } catch {
    return 'cut off'
  } finally {
    clearTimeout(timer)
  }
}

const discardedMax = 32 * limits.bodyBytesMax

/**
 * Takes in what is still on its way, up to a bound, and keeps none of it. A connection that is cut
 * while its caller writes loses the answer as well, and with it the reason.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let length = 0; length < discardedMax;) {
      const { done, value } = await reader.read()
      if (done) return
      length += value.length
    }
    await reader.cancel()
  } catch {
    // The caller is gone; there is nobody to tell.
  }
}

function mediaFault(headers: Headers): string | null {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    return 'The body has a content encoding.'
  }
  const type = headers.get('content-type')
  if (type === null) return 'Content-Type is absent.'
  return mediaType.test(type.trim()) ? null : 'Content-Type is not application/json in UTF-8.'
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array): ReadBody {
  if (isDeeper(bytes, limits.bodyDepthMax)) {
    return refused(notJson(`The body is nested over ${limits.bodyDepthMax} levels deep.`))
  }
  let body: unknown
  try {
    body = JSON.parse(decoder.decode(bytes))
  } catch {
    return refused(notJson('The body does not parse.'))
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused(notJson('The body is not an object.'))
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
