// Writes compressed versions beside each text of a build, so that no server compresses while it
// answers.
import { copyFileSync, existsSync, linkSync, readdirSync, readFileSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
/** One network packet holds about 1,400 bytes, so smaller files would gain nothing. */
const smallest = 256

/** What every visitor loads and keeps for a year is worth the highest level. */
const isAsset = (name: string, size: number) => name.startsWith('assets/') && size < 512 * 1024

/** Asynchronous, so that they run in the threads of the runtime, one for each processor. */
const formats: Record<string, (bytes: Buffer, isBest: boolean) => Promise<Buffer>> = {
  // Level 11 takes 30 ms for a page and saves a tenth of 3 kB; level 5 takes half a millisecond.
  '.br': (bytes, isBest) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.zst': (bytes, isBest) =>
    promisify(zstdCompress)(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: isBest ? 19 : 4 },
    }),
  '.gz': (bytes, isBest) => promisify(gzip)(bytes, { level: isBest ? 9 : 6 }),
}

/** As many files at once as keep the processors busy. */
const atOnce = 8

export type Written = { compressed: number; reused: number }

/** Moves what Astro rendered. A folder on another disk cannot be renamed to. */
export async function move(from: string, into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true })
  await rename(from, into).catch(async () => {
    await cp(from, into, { recursive: true })
    await rm(from, { recursive: true })
  })
}

/** A file that is the same in the build before has its compressed versions from there. */
export async function compressAll(folder: string, before: string): Promise<Written> {
  const written: Written = { compressed: 0, reused: 0 }
  const waiting = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && text.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .values()
  const worker = async () => {
    for (const file of waiting) {
      const [fresh, old] = [join(folder, file), join(before, file)]
      const bytes = readFileSync(fresh)
      if (bytes.length <= smallest) continue
      const isSame = existsSync(`${old}.br`) && readFileSync(old).equals(bytes)
      written[isSame ? 'reused' : 'compressed']++
      for (const [ending, compress] of Object.entries(formats)) {
        if (isSame) linkOrCopy(old + ending, fresh + ending)
        else writeFileSync(fresh + ending, await compress(bytes, isAsset(file, bytes.length)))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return written
}

/** No build writes into a file that exists. A folder on another disk cannot be linked to. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
