// Caches decrypted secrets, so an endpoint with many deliveries has its secret decrypted once.
// Plain secrets leave memory after at most 30 seconds, used or not.

import { LRUCache } from 'lru-cache'
import type { Encryption } from '#database/encryption.ts'

const cacheMilliseconds = 30_000
const cacheMax = 10_000

/** Returns a decrypting function with a cache; failures aren't cached. */
export function cachedOpen(encryption: Encryption): Encryption['open'] {
  const opened = new LRUCache<string, string>({ max: cacheMax })
  return (purpose, encrypted) => {
    // The encrypted text is authenticated with its purpose and differs with every encryption.
    const key = `${purpose} ${encrypted}`
    const cached = opened.get(key)
    if (cached !== undefined) return cached
    const secret = encryption.open(purpose, encrypted)
    if (secret === null) return null
    if (opened.size === 0) setTimeout(() => opened.clear(), cacheMilliseconds).unref()
    opened.set(key, secret)
    return secret
  }
}
