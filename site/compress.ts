import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
const smallest = 256

/** From here on the best settings take seconds for a file, and save a few bytes in a hundred. */
const large = 256 * 1024

const variants = {
  '.br': (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length < large ? 11 : 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.zst': (bytes: Uint8Array) =>
    promisify(zstdCompress)(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: bytes.length < large ? 19 : 12 },
    }),
  '.gz': (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * Writes a compressed sibling of every text file, so that no server compresses on the way out. What
 * the build before compressed from the same bytes is copied, because the best settings are slow.
 */
export async function compress(folder: string, before: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter(name => text.test(name)).sort()
  const done = await Promise.all(
    files.map(name => compressFile(join(folder, name), join(before, name))),
  )
  const count = (way: Way) => done.filter(each => each === way).length
  return `${count('packed')} of ${files.length}, ${count('copied')} as before`
}

type Way = 'packed' | 'copied' | 'left'

/** A packet holds about 1,400 bytes either way, so the smallest files stay as they are. */
async function compressFile(path: string, before: string): Promise<Way> {
  const bytes = await Bun.file(path).bytes()
  if (bytes.length <= smallest) return 'left'
  // Another build may swap the old folder away at any moment; then there is nothing to copy.
  if (await copyBefore(bytes, path, before).catch(() => false)) return 'copied'
  await Promise.all(
    Object.entries(variants).map(async ([ending, pack]) =>
      Bun.write(path + ending, await pack(bytes)),
    ),
  )
  return 'packed'
}

async function copyBefore(bytes: Uint8Array, path: string, before: string): Promise<boolean> {
  if (!Buffer.from(await Bun.file(before).bytes()).equals(bytes)) return false
  const endings = Object.keys(variants)
  await Promise.all(endings.map(ending => copyFile(before + ending, path + ending)))
  return true
}
