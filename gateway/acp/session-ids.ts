import { randomHalf } from '#contract/ids.ts'

/**
 * Ids that prove themselves: chance, and a mark that only this house can make of it. A made-up id
 * is told from one of ours without anything being stored.
 */
export type SessionIds = {
  make(bytes: Uint8Array): string
  isOurs(id: string): boolean
}

/** `cs_`, 80 random bits, and 80 bits of their mark, in lowercase Crockford. */
const shape = /^cs_[0-9a-hjkmnp-tv-z]{32}$/
const markAt = 'cs_'.length + 16

export function sessionIds(secret: string): SessionIds {
  const hmacOf = (random: string) =>
    randomHalf(new Bun.CryptoHasher('sha256', secret).update(`checkout session ${random}`).digest())
  const withMark = (random: string) => `cs_${random}${hmacOf(random)}`
  return {
    make: bytes => withMark(randomHalf(bytes)),
    // A guess has to be right at once: an id's mark says nothing of any other's.
    isOurs: id => shape.test(id) && withMark(id.slice(3, markAt)) === id,
  }
}
