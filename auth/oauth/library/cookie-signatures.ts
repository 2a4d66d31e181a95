// The signatures of cookies, in the form that Koa asks for. The package that it would
// use, keygrip, compares by tsscmp, which calls a function that Node.js deprecates (DEP0115), and
// so prints a warning into the log of every server.

import { createHmac, timingSafeEqual } from 'node:crypto'

export class CookieSignatures {
  /** The newest key first: it signs, and each of them verifies. */
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
