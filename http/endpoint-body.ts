import { readBytes } from './read-bytes.ts'
import { siteLimits } from '#contract/limits.ts'
import { refuse } from './refusals.ts'

/** A body to its end, or the refusal of what is larger, late or cut off, thrown. */
export async function readBody(
  request: Request,
  bytesMax: number = siteLimits.bodyBytesMax,
  milliseconds: number = siteLimits.bodySecondsMax * 1000,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(request, bytesMax, milliseconds)
  if (bytes === 'too large') {
    throw refuse('payload_too_large', {
      detail: `The body is larger than ${bytesMax} bytes.`,
      members: { limit_bytes: bytesMax },
    })
  }
  if (bytes === 'too slow') {
    throw refuse('request_timeout', { detail: 'The body did not arrive in time.', headers: ending })
  }
  // Nobody may be there any more to read it.
  if (bytes === 'cut off') {
    throw refuse('invalid_request', {
      detail: 'The body must be complete. It ended early.',
      headers: ending,
    })
  }
  return bytes
}

const ending = { connection: 'close' }
