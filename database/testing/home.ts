// The test server's folder, `.data/test`, which is a link into memory if there is enough memory. A
// database has 900 files. Creating these files on disk takes a quarter of a second of processor
// time, ten times as long as in memory, and the suite creates hundreds of databases.
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { folderInMemory } from './small-disk.ts'

export const home = path.join(import.meta.dir, '../..', '.data', 'test')

const megabytes = 256

/** Also works after a reboot, when the link's target no longer exists. */
export function makeHome(): void {
  if (lstatSync(home, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(path.dirname(home), { recursive: true })
    linkTo(folderInMemory(megabytes))
  }
  mkdirSync(targetOfHome(), { recursive: true })
}

function linkTo(made: string | undefined): void {
  if (made === undefined) return
  try {
    symlinkSync(made, home)
  } catch (error) {
    rmSync(made, { recursive: true })
    // If the folder exists, another process created it first.
    if (!existsSync(home)) throw error
  }
}

/** Frees the memory. Files on a disk stay, because the next start is faster with them. */
export function removeHome(target = targetOfHome()): void {
  if (target === home) return
  rmSync(target, { recursive: true, force: true })
  if (targetOfHome() === target) rmSync(home, { force: true })
}

export function targetOfHome(): string {
  const isLink = lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  return isLink ? readlinkSync(home) : home
}
