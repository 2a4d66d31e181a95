// Storage in a folder of this machine: the default, and enough for one gateway. An object appears
// by a rename, so it is whole from the first moment it can be seen.

import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from '#database/failures.ts'
import { openSpool } from './spool.ts'
import type { Storage } from './storage.ts'

const keyForm = /^(test|live)\/[ufx]\/[0-9a-z]{32}$/

/** `fresh` draws characters for a name of which there is no other. */
export function openDisk(folder: string, now: () => number, fresh: () => string): Storage {
  const aside = path.join(folder, 'aside')
  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error('This is no key of an object.')
    const [mode = '', kind = '', object = ''] = key.split('/')
    return path.join(folder, mode, kind, object.slice(0, 2), object)
  }
  const home = async (file: string) => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return file
  }
  const blank = async () => home(path.join(aside, `${fresh()}${fresh()}`))
  const found = async (file: string) => orNull(stat(file))
  const tagOf = (one: { ino: number; size: number; mtimeMs: number }) =>
    `${one.ino}-${one.size}-${one.mtimeMs}`

  return {
    direct: async () => null,
    spool: async () => openSpool(await blank()),
    async take(key, file) {
      const to = await home(pathOf(key))
      await rename(file.path, to)
      await settle(path.dirname(to))
    },
    async stat(key) {
      const one = await found(pathOf(key))
      return one && { size: one.size, tag: tagOf(one) }
    },
    async slice(key, start, end) {
      const file = pathOf(key)
      if (!(await found(file))) return null
      return new Uint8Array(await Bun.file(file).slice(start, end).arrayBuffer())
    },
    async read(key) {
      const file = pathOf(key)
      const one = await found(file)
      return one && { size: one.size, open: async () => Bun.file(file) }
    },
    // What was looked at is linked aside first, because a later upload may take its name meanwhile.
    async keep(from, to, tag) {
      const held = await blank()
      if ((await orNull(link(pathOf(from), held).then(() => true))) === null) return false
      const one = await stat(held)
      if (tagOf(one) !== tag) {
        await rm(held, { force: true })
        return false
      }
      const target = await home(pathOf(to))
      // A rename between two names of one file does nothing, and leaves both.
      await rename(held, target)
      await rm(held, { force: true })
      await settle(path.dirname(target))
      return true
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    sweep: (prefix, seconds) => sweep(path.join(folder, prefix), now() - seconds * 1000),
  }
}

/** Null when the file is not there. */
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((failure: unknown) => {
    if (isMissing(failure)) return null
    throw failure
  })

/** A name is lost with the power unless its folder is written down as well. */
async function settle(folder: string): Promise<void> {
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
