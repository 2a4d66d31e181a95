// A webhook's signature: HMAC-SHA-256 over the timestamp, a dot and the raw body. The key is the
// whole secret, including its prefix.

const encoder = new TextEncoder()

export type RawBody = string | ArrayBufferView | ArrayBuffer

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

const decoder = new TextDecoder()
export const decoded = (bytes: Uint8Array): string => decoder.decode(bytes)

export const encodedText = (text: string): Uint8Array => encoder.encode(text)

/** A raw body's bytes, even from another realm. Null if the body is neither text nor bytes. */
export function bytesOf(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return encodedText(body)
  const { buffer, byteOffset, byteLength } = Object(body) as Partial<Uint8Array>
  if (byteLength === undefined) return null
  return new Uint8Array(buffer ?? (body as ArrayBuffer), byteOffset, byteLength)
}

/** Compares texts of equal length in constant time. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
