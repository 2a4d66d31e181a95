// Writes compressed versions next to each text file in a build, so no server compresses responses.
import {
  constants as files,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const text = /\.(html|md|txt|xml|json|svg|css|js)$/
/** Smaller files gain nothing, because a network packet holds about 1,400 bytes. */
const smallest = 256

/** Assets use the highest level, because every visitor loads them and caches them for a year. */
const isAsset = (name: string, size: number) => name.startsWith('assets/') && size < 512 * 1024

/**
 * These functions are asynchronous, so they run in the runtime's threads, one for each processor.
 */
const formats: Record<string, (bytes: Buffer, isBest: boolean) => Promise<Buffer>> = {
  // Level 11 takes 30 ms for a page and saves a tenth of 3 kB; level 5 takes half a millisecond.
  '.br': (bytes, isBest) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.gz': (bytes, isBest) => promisify(gzip)(bytes, { level: isBest ? 9 : 6 }),
}

/** A file and its existing compressed versions. */
export const versionsOf = (file: string): string[] =>
  ['', ...Object.keys(formats)].map(ending => file + ending).filter(each => existsSync(each))

/** Moves Astro's output, or copies it, because renaming doesn't work across disks. */
export async function move(from: string, into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true })
  await rename(from, into).catch(async () => {
    await cp(from, into, { recursive: true, force: false, errorOnExist: true })
    await rm(from, { recursive: true })
  })
}

/** The number of concurrent files that keeps the processors busy. */
export const atOnce = 8

/** Writes a file's compressed versions, from the previous build if the file hasn't changed. */
export async function compress(file: string, bytes: Buffer, folder: string, before: string) {
  if (!text.test(file) || bytes.length <= smallest) return
  const [fresh, old] = [join(folder, file), join(before, file)]
  const isSame = existsSync(`${old}.br`) && readFileSync(old).equals(bytes)
  mkdirSync(dirname(fresh), { recursive: true })
  const writing = Object.entries(formats).map(async ([ending, format]) => {
    if (isSame) linkOrCopy(old + ending, fresh + ending)
    else await writeFile(fresh + ending, await format(bytes, isAsset(file, bytes.length)))
  })
  await Promise.all(writing)
}

/** Compresses the files that weren't compressed during rendering. */
export async function compressRest(folder: string, before: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  const known = new Set(files)
  const rest = files.filter(file => !known.has(`${file}.br`)).values()
  const worker = async () => {
    for (const file of rest) await compress(file, readFileSync(join(folder, file)), folder, before)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Creates a hard link, or a copy if the file is on another disk. Links are safe because builds
 *  never write into existing files. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, files.COPYFILE_EXCL)
  }
}
