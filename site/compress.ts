import { copyFileSync, existsSync, linkSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Shelf } from './kept.ts'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
/** A packet holds about 1,400 bytes either way, so the smallest files stay as they are. */
const smallest = 256

/** What every visitor loads and keeps for a year. */
const assets = /\/assets\/[^/]+$/
const large = 512 * 1024

type Level = { brotli: number; zstd: number; gzip: 3 | 6 | 12 }
type Bytes = Uint8Array<ArrayBuffer>

/**
 * The best that brotli can takes thirty milliseconds for a page and saves a tenth of three
 * kilobytes: that is for what all visitors load. A page takes half a millisecond, and what only
 * machines read, all pages in one file, a fourth of that for as many bytes.
 */
function levelOf(path: string, size: number): Level {
  if (assets.test(path)) return size < large ? best : { brotli: 6, zstd: 9, gzip: 6 }
  return size < large ? { brotli: 5, zstd: 4, gzip: 6 } : { brotli: 3, zstd: 3, gzip: 3 }
}
const best: Level = { brotli: 11, zstd: 19, gzip: 12 }

const bitsOf = (size: number) => Math.ceil(Math.log2(size + 16))

const variants: Record<string, { level: keyof Level; pack: (bytes: Bytes, at: Level) => Bytes }> = {
  '.br': {
    level: 'brotli',
    pack: (bytes, { brotli }) =>
      new Uint8Array(
        brotliCompressSync(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: brotli,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            // As large a window as there is to look back on: a larger one is cleared for nothing.
            [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, bitsOf(bytes.length))),
          },
        }),
      ),
  },
  '.zst': {
    level: 'zstd',
    pack: (bytes, { zstd: level }) => new Uint8Array(Bun.zstdCompressSync(bytes, { level })),
  },
  '.gz': {
    level: 'gzip',
    // For as many bytes it takes half as long as the library that everybody uses.
    pack: (bytes, { gzip: level }) => Bun.gzipSync(bytes, { level, library: 'libdeflate' }),
  },
}

export type Packed = 'packed' | 'linked' | 'left'

/**
 * Writes a compressed sibling of a text file, so that no server compresses on the way out. What any
 * build compressed from the same bytes is linked, which takes no bytes and no time: a build writes
 * only into files that are its own.
 */
export function pack(shelf: Shelf, path: string, bytes: Bytes): Packed {
  if (!text.test(path) || bytes.length <= smallest) return 'left'
  const place = shelf.place(bytes)
  const levels = levelOf(path, bytes.length)
  let how: Packed = 'linked'
  for (const [ending, { level, pack: make }] of Object.entries(variants)) {
    const kept = `${place}.${levels[level]}${ending}`
    if (linked(kept, path + ending)) continue
    writeFileSync(path + ending, make(bytes, levels))
    linked(path + ending, kept)
    how = 'packed'
  }
  return how
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
