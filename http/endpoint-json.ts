import type { EndpointCall } from './endpoint-router.ts'
import { refuse } from './refusals.ts'

const mediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as a JSON object; throws the refusal of what is none. The hint says what to send. */
export async function readObject(call: EndpointCall, hint: string): Promise<object> {
  const type = call.request.headers.get('content-type') ?? ''
  if (!mediaType.test(type)) {
    throw refuse('unsupported_media_type', {
      detail:
        type === ''
          ? 'The Content-Type header is missing.'
          : 'Content-Type must be application/json.',
      headers: { 'accept-post': 'application/json' },
    })
  }
  const bytes = await call.body()
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    throw refuse('invalid_request', { detail: 'The body must be valid JSON in UTF-8.', hint })
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw refuse('invalid_request', { detail: 'The body must be a JSON object.', hint })
}
