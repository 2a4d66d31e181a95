// Cookie signatures in the form Koa expects. Koa's own package, keygrip, compares with tsscmp,
// which uses a function that Node.js deprecates (DEP0115), so every server's log would contain a
// warning.

import { createHmac, timingSafeEqual } from 'node:crypto'

export class CookieSignatures {
  /** Takes the newest key first. The newest key signs, and every key verifies. */
  constructor(private readonly keys: readonly string[]) {}

  sign(data: string): string {
    return signature(this.keys[0] ?? '', data)
  }

  /** The index of the signing key, or -1. */
  index(data: string, given: string): number {
    const presented = Buffer.from(given)
    return this.keys.findIndex(key => {
      const expected = Buffer.from(signature(key, data))
      return presented.length === expected.length && timingSafeEqual(presented, expected)
    })
  }

  verify(data: string, given: string): boolean {
    return this.index(data, given) >= 0
  }
}

const signature = (key: string, data: string) =>
  createHmac('sha256', key).update(data).digest('base64url')
