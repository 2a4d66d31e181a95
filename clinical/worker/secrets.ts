// Secrets that were opened a moment ago: an endpoint with many deliveries has its own opened once.
// They are forgotten within half a minute, whether or not anybody asks again (contract/12, section
// 8).

import { LRUCache } from 'lru-cache'
import type { Seal } from '#database/seal.ts'

const keptMilliseconds = 30_000
const keptMax = 10_000

/** As the seal opens; what does not open is tried anew each time. */
export function openSecrets(seal: Seal): Seal['open'] {
  const opened = new LRUCache<string, string>({ max: keptMax })
  return (purpose, sealed) => {
    // A sealed text is another each time, and what it is for is sealed in it.
    const key = `${purpose} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const secret = seal.open(purpose, sealed)
    if (secret === null) return null
    if (opened.size === 0) setTimeout(() => opened.clear(), keptMilliseconds).unref()
    opened.set(key, secret)
    return secret
  }
}
