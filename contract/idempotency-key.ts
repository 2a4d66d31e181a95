import { limits } from './limits.ts'

/** The requirement for a key, in the words of every description, detail and hint. */
export const keyForm = `1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters without spaces`

/** The key in an Idempotency-Key header, without the quotes that
 *  draft-ietf-httpapi-idempotency-key-header requires; null if it's malformed. */
export function idempotencyKeyIn(header: string): string | null {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return key.length <= limits.idempotencyKeyLengthMax && /^[\x21-\x7e]+$/.test(key) ? key : null
}
