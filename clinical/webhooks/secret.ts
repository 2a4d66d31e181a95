// A new secret: `whsec_` and 32 base62 characters, uniformly distributed.

import { base62Digits } from '#contract/ids.ts'

const length = 32
/** The greatest multiple of 62 that fits in a byte. Larger bytes are skipped, because they would
 *  make the first characters more likely. */
const fair = 248

export function newSecret(bytes: (count: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    for (const byte of bytes(length)) {
      if (byte < fair && text.length < length)
        text += base62Digits.charAt(byte % base62Digits.length)
    }
  }
  return `whsec_${text}`
}
