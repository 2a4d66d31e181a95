// The signature of a webhook: HMAC-SHA-256 over the time, a dot and the bytes of the body, under
// the whole secret, its prefix included.

const encoder = new TextEncoder()

export type RawBody = string | Uint8Array | ArrayBuffer

export async function digest(secret: string, seconds: number, body: Uint8Array): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const head = encoder.encode(`${seconds}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export const bytesOf = (body: RawBody): Uint8Array =>
  typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)

/** Takes as long for any two texts of one length. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
