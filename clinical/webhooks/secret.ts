// A new secret: `whsec_` and 32 characters of base62, every one as likely as any other.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 32
/** The greatest multiple of 62 in a byte: above it the first characters would be likelier. */
const fair = 248

export function newSecret(bytes: (count: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    for (const byte of bytes(length)) {
      if (byte < fair && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return `whsec_${text}`
}
