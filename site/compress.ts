import { copyFileSync, existsSync, linkSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { Shelf } from './kept.ts'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
/** A packet holds about 1,400 bytes either way, so the smallest files stay as they are. */
const smallest = 256

/** What every visitor loads and keeps for a year. */
const assets = /\/assets\/[^/]+$/
const large = 512 * 1024

type Level = { brotli: number; zstd: number; gzip: number }

/**
 * The best that brotli can takes thirty milliseconds for a page and saves a tenth of three
 * kilobytes: that is for what all visitors load. A page takes half a millisecond, and what only
 * machines read, all pages in one file, a fourth of that for as many bytes.
 */
function levelOf(path: string, size: number): Level {
  if (assets.test(path)) return size < large ? best : { brotli: 6, zstd: 9, gzip: 6 }
  return size < large ? { brotli: 5, zstd: 6, gzip: 6 } : { brotli: 4, zstd: 3, gzip: 4 }
}
const best = { brotli: 11, zstd: 19, gzip: 9 }

const bitsOf = (size: number) => Math.ceil(Math.log2(size + 16))

const variants = {
  '.br': {
    level: ({ brotli }: Level) => brotli,
    pack: (bytes: Uint8Array, level: number) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: level,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          // As large a window as there is to look back on: a larger one is cleared for nothing.
          [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, bitsOf(bytes.length))),
        },
      }),
  },
  '.zst': {
    level: ({ zstd }: Level) => zstd,
    pack: (bytes: Uint8Array, level: number) =>
      promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }),
  },
  '.gz': {
    level: ({ gzip: level }: Level) => level,
    pack: (bytes: Uint8Array, level: number) => promisify(gzip)(bytes, { level }),
  },
}

export type Packed = 'packed' | 'linked' | 'left'

/**
 * Writes a compressed sibling of every text file, so that no server compresses on the way out. What
 * any build compressed from the same bytes is linked, which takes no bytes and no time: a build
 * writes only into files that are its own.
 */
export class Packer {
  constructor(readonly shelf: Shelf) {}

  async pack(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Packed> {
    if (!text.test(path) || bytes.length <= smallest) return 'left'
    const place = this.shelf.place(bytes)
    const levels = levelOf(path, bytes.length)
    const missing = Object.entries(variants).filter(
      ([ending, { level }]) => !linked(`${place}.${level(levels)}${ending}`, path + ending),
    )
    await Promise.all(
      missing.map(async ([ending, { level, pack }]) => {
        writeFileSync(path + ending, await pack(bytes, level(levels)))
        linked(path + ending, `${place}.${level(levels)}${ending}`)
      }),
    )
    return missing.length === 0 ? 'linked' : 'packed'
  }
}

function linked(from: string, to: string): boolean {
  if (!existsSync(from)) return false
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
  return true
}
