// Secrets that were opened a moment ago: an endpoint with many deliveries has its own opened once.
// They are forgotten within half a minute, whether or not anybody asks again (contract/12, section
// 8).

import { LRUCache } from 'lru-cache'
import type { Encryption } from '#database/encryption.ts'

const keptMilliseconds = 30_000
const keptMax = 10_000

/** As the seal opens; what does not open is tried anew each time. */
export function openSecrets(encryption: Encryption): Encryption['open'] {
  const opened = new LRUCache<string, string>({ max: keptMax })
  return (purpose, encrypted) => {
    // A sealed text is another each time, and what it is for is sealed in it.
    const key = `${purpose} ${encrypted}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const secret = encryption.open(purpose, encrypted)
    if (secret === null) return null
    if (opened.size === 0) setTimeout(() => opened.clear(), keptMilliseconds).unref()
    opened.set(key, secret)
    return secret
  }
}
