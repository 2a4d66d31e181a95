import { randomHalf } from '#contract/ids.ts'

/**
 * Self-authenticating IDs: random bits followed by their HMAC, so this server recognizes its own
 * IDs without storing them.
 */
export type SessionIds = {
  make(bytes: Uint8Array): string
  isOurs(id: string): boolean
}

/** `cs_`, 80 random bits and 80 bits of their HMAC, in lowercase Crockford Base32. */
const shape = /^cs_[0-9a-hjkmnp-tv-z]{32}$/
const hmacStart = 'cs_'.length + 16

export function sessionIds(secret: string): SessionIds {
  const hmacOf = (random: string) =>
    randomHalf(new Bun.CryptoHasher('sha256', secret).update(`checkout session ${random}`).digest())
  const withHmac = (random: string) => `cs_${random}${hmacOf(random)}`
  return {
    make: bytes => withHmac(randomHalf(bytes)),
    // One ID's HMAC reveals nothing about another's, so guessing gains nothing.
    isOurs: id => shape.test(id) && withHmac(id.slice(3, hmacStart)) === id,
  }
}
