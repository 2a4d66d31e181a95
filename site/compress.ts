import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
const smallest = 256

const variants = {
  '.br': (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.zst': (bytes: Uint8Array) =>
    promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  '.gz': (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}

/** Writes a compressed sibling of every text file, so that no server compresses on the way out. */
export async function compress(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter(name => text.test(name)).sort()
  const written = await Promise.all(files.map(name => compressFile(join(folder, name))))
  return `${written.filter(Boolean).length} of ${files.length}`
}

/** A packet holds about 1,400 bytes either way, so the smallest files stay as they are. */
async function compressFile(path: string): Promise<boolean> {
  const bytes = await Bun.file(path).bytes()
  if (bytes.length <= smallest) return false
  await Promise.all(
    Object.entries(variants).map(async ([ending, pack]) =>
      Bun.write(path + ending, await pack(bytes)),
    ),
  )
  return true
}
