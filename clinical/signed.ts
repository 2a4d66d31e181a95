// Texts that go out and come back unchanged: links that somebody without a key may open. Each
// purpose has a key of its own, made of the pepper that is in no database, so that what was signed
// for one is worth nothing for another.

import { timingSafeEqual } from 'node:crypto'

/** The signature of a text for one purpose, 43 characters that may stand in a path. */
export type Sign = (purpose: string, text: string) => string

export const signer =
  (pepper: string): Sign =>
  (purpose, text) => {
    const key = new Bun.CryptoHasher('sha256', pepper).update(`signed for ${purpose}`).digest()
    return new Bun.CryptoHasher('sha256', key).update(text).digest('base64url')
  }

/** Whether it is this text's signature, told in the same time wherever the two differ. */
export function isSigned(sign: Sign, purpose: string, text: string, signature: string): boolean {
  const [ours, theirs] = [Buffer.from(sign(purpose, text)), Buffer.from(signature)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
