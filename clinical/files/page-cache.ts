// Rendered document pages, kept for the session that viewed them: rendering takes seconds, and
// people page back and forth in a chart. A page is encrypted under a key derived only from that
// session's cookie, so memory alone reveals no document. The gate and the audit run first, on every
// view.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { randomBytes } from '#database/clock.ts'

/** Keeps pages as long as a session can be idle. */
const keptMs = 15 * 60_000
const bytesMax = 256 * 1024 * 1024
const [ivBytes, tagBytes] = [12, 16]

type PageOf = { readonly object: string; readonly page: number }

export type PageCache = {
  /** Returns the page, rendered if the session hasn't viewed it recently. An error from `render`
   *  isn't cached. `session` is the cookie's value. */
  get(session: string, of: PageOf, render: () => Promise<Uint8Array>): Promise<Uint8Array>
}

const digest = (...parts: readonly string[]) =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts)).digest()

export function openPageCache(): PageCache {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }) => length,
    ttl: keptMs,
    updateAgeOnGet: true,
  })
  const rendering = new Map<string, Promise<Uint8Array>>()
  return {
    async get(session, { object, page }, render) {
      const name = Buffer.from(digest('name', session, object, String(page))).toString('hex')
      const key = digest('key', session, object, String(page))
      const found = kept.get(name)
      if (found !== undefined) return open(key, found)
      // If two views arrive concurrently, only one renders.
      const running = rendering.get(name)
      if (running !== undefined) return running
      const rendered = render().finally(() => rendering.delete(name))
      rendering.set(name, rendered)
      const image = await rendered
      kept.set(name, seal(key, image))
      return image
    },
  }
}

function seal(key: Uint8Array, image: Uint8Array): Uint8Array {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(image), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function open(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}
