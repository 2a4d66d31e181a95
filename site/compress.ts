import { link, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
const smallest = 256

/**
 * Brotli's best takes thirty milliseconds for a page and saves a tenth of three kilobytes: that is
 * for what every visitor loads and keeps for a year.
 */
const kept = /(^|\/)assets\//
const large = 512 * 1024

type Level = { brotli: number; zstd: number; gzip: number }

function levelOf(path: string, size: number): Level {
  if (kept.test(path) && size < large) return { brotli: 11, zstd: 19, gzip: 9 }
  return size < large ? { brotli: 9, zstd: 12, gzip: 9 } : { brotli: 6, zstd: 9, gzip: 6 }
}

const variants = {
  '.br': (bytes: Uint8Array, { brotli }: Level) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotli,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.zst': (bytes: Uint8Array, { zstd }: Level) =>
    promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: zstd } }),
  '.gz': (bytes: Uint8Array, { gzip: level }: Level) => promisify(gzip)(bytes, { level }),
}

/**
 * Writes a compressed sibling of every text file, so that no server compresses on the way out. What
 * the build before compressed from the same bytes by the same code is linked, not made again.
 */
export async function compress(folder: string, before: string | null): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter(name => text.test(name)).sort()
  const done = await Promise.all(
    files.map(name =>
      compressFile(join(folder, name), before === null ? null : join(before, name)),
    ),
  )
  const count = (way: Way) => done.filter(each => each === way).length
  return `${count('packed')} of ${files.length}, ${count('linked')} as before`
}

type Way = 'packed' | 'linked' | 'left'

/** A packet holds about 1,400 bytes either way, so the smallest files stay as they are. */
async function compressFile(path: string, before: string | null): Promise<Way> {
  const bytes = await Bun.file(path).bytes()
  if (bytes.length <= smallest) return 'left'
  // Another build may swap the old folder away at any moment; then there is nothing to copy.
  if (before !== null && (await linkBefore(bytes, path, before).catch(() => false))) return 'linked'
  await Promise.all(
    Object.entries(variants).map(async ([ending, pack]) =>
      Bun.write(path + ending, await pack(bytes, levelOf(path, bytes.length))),
    ),
  )
  return 'packed'
}

async function linkBefore(bytes: Uint8Array, path: string, before: string): Promise<boolean> {
  if (!Buffer.from(await Bun.file(before).bytes()).equals(bytes)) return false
  const endings = Object.keys(variants)
  // A link takes no bytes and no time; a build writes only into files that are its own.
  await Promise.all(endings.map(ending => link(before + ending, path + ending)))
  return true
}
