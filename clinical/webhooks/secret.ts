// A new secret: `whsec_` and 32 base62 characters, uniformly distributed.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 32
/** The greatest multiple of 62 in a byte. Larger bytes are skipped, because they would make the
 *  first characters more likely. */
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
