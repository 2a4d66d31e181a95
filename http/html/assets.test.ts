// How the files that pages load are sent.
import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { assetResponse, pageAssets } from './assets.ts'

const style = 'main { color: green }\n'.repeat(100)
const { stylePath, files } = pageAssets(style)
const send = (path: string, accepted: string | null) => {
  const asset = files[path]
  if (asset === undefined) throw new Error(`there is no ${path}`)
  return assetResponse(asset, accepted)
}

describe('a stylesheet', () => {
  test.each(['br', 'gzip, deflate, br, zstd', 'br;q=0.5'])(
    'is compressed for a browser that accepts %p',
    async accepted => {
      const response = send(stylePath, accepted)
      expect(response.headers.get('content-encoding')).toBe('br')
      const bytes = await response.bytes()
      expect(bytes.length).toBeLessThan(style.length / 10)
      expect(brotliDecompressSync(bytes).toString()).toBe(style)
    },
  )

  test.each([null, 'gzip', 'br;q=0'])(
    'is sent as it is to a client that accepts %p',
    async accepted => {
      const response = send(stylePath, accepted)
      expect(response.headers.get('content-encoding')).toBeNull()
      expect(await response.text()).toBe(style)
    },
  )

  test('varies by encoding, so no cache sends it to the wrong client', () => {
    for (const accepted of ['br', null]) {
      expect(send(stylePath, accepted).headers.get('vary')).toBe('Accept-Encoding')
    }
  })
})

test('a font is never compressed again', () => {
  expect(send('/assets/inter.woff2', 'br').headers.get('content-encoding')).toBeNull()
})
