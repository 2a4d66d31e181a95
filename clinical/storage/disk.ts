// Storage in a local folder: the default, for a single gateway. Objects are renamed into place, so
// readers never see a partial object.

import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from '#database/failures.ts'
import { openSpool } from './spool.ts'
import type { Storage } from './storage.ts'

const keyForm = /^(test|live)\/[ufx]\/[0-9a-z]{32}$/

/** `fresh` returns random characters for unique file names. */
export function openDisk(folder: string, now: () => number, fresh: () => string): Storage {
  const aside = path.join(folder, 'aside')
  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error('invalid object key')
    const [mode = '', kind = '', object = ''] = key.split('/')
    return path.join(folder, mode, kind, object.slice(0, 2), object)
  }
  const withFolder = async (file: string) => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return file
  }
  const newPath = async () => withFolder(path.join(aside, `${fresh()}${fresh()}`))
  const statOrNull = async (file: string) => orNull(stat(file))
  const tagOf = (one: { ino: number; size: number; mtimeMs: number }) =>
    `${one.ino}-${one.size}-${one.mtimeMs}`

  return {
    direct: async () => null,
    spool: async () => openSpool(await newPath()),
    async store(key, file) {
      const to = await withFolder(pathOf(key))
      await rename(file.path, to)
      await syncFolder(path.dirname(to))
    },
    async stat(key) {
      const one = await statOrNull(pathOf(key))
      return one && { size: one.size, tag: tagOf(one) }
    },
    async slice(key, start, end) {
      const file = pathOf(key)
      if (!(await statOrNull(file))) return null
      return new Uint8Array(await Bun.file(file).slice(start, end).arrayBuffer())
    },
    async read(key, part) {
      const file = pathOf(key)
      const one = await statOrNull(file)
      if (!one) return null
      const { start, end } = part ?? { start: 0, end: one.size }
      return { size: end - start, open: async () => Bun.file(file).slice(start, end) }
    },
    // Links the inspected file to a second name first, because an upload may replace it.
    async copyIfUnchanged(from, to, tag) {
      const held = await newPath()
      if ((await orNull(link(pathOf(from), held).then(() => true))) === null) return false
      const one = await stat(held)
      if (tagOf(one) !== tag) {
        await rm(held, { force: true })
        return false
      }
      const target = await withFolder(pathOf(to))
      // A rename between two names of the same file does nothing and leaves both names.
      await rename(held, target)
      await rm(held, { force: true })
      await syncFolder(path.dirname(target))
      return true
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    removeOlderThan: (prefix, seconds) => sweep(path.join(folder, prefix), now() - seconds * 1000),
  }
}

/** Returns null if the file doesn't exist. */
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((failure: unknown) => {
    if (isMissing(failure)) return null
    throw failure
  })

/** Syncs the folder too; otherwise a power failure can lose the new name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function sweep(folder: string, before: number): Promise<number> {
  const names = (await orNull(readdir(folder, { recursive: true }))) ?? []
  let count = 0
  for (const name of names) {
    const file = path.join(folder, name)
    const one = await orNull(stat(file))
    if (!one?.isFile() || one.mtimeMs >= before) continue
    await rm(file, { force: true })
    count++
  }
  return count
}
