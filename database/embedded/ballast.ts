// A file beside the data directory that reserves disk space. On a full disk PostgreSQL stops and
// cannot start, because its recovery writes. The file is then removed, and PostgreSQL recovers in
// its place. It is written again when there is room.
import { existsSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomBytes } from '../clock.ts'
import { freeBytes, fullBytes, megabyte, nearlyFullBytes } from '../disk.ts'

/** Four segments of the WAL: recovery ends with a checkpoint in its own segment. */
const ballastMegabytes = 64

const fileOf = (dir: string) => `${dir}.ballast`
const partOf = (dir: string) => `${fileOf(dir)}.part`

/** Removes the file if the disk is full, and what a killed process wrote of it; returns whether
 *  there was either. */
export function releaseBallast(dir: string): boolean {
  const reserved = [fileOf(dir), partOf(dir)].filter(file => existsSync(file))
  if (reserved.length === 0 || freeBytes(path.dirname(dir)) >= fullBytes) return false
  for (const file of reserved) rmSync(file, { force: true })
  return true
}

/** Writes the file if there is none and the disk has room. Of random bytes, because a file system
 *  that compresses would reserve nothing for others. */
export async function reserveBallast(dir: string): Promise<void> {
  const file = fileOf(dir)
  if (existsSync(file) || freeBytes(path.dirname(dir)) < nearlyFullBytes) return
  const part = partOf(dir)
  await rm(part, { force: true })
  try {
    await write(part)
    await rename(part, file)
  } finally {
    // The disk may have become full meanwhile: then this space is for PostgreSQL.
    await rm(part, { force: true })
  }
}

async function write(part: string): Promise<void> {
  const output = await open(part, 'w', 0o600)
  try {
    for (let written = 0; written < ballastMegabytes; written++) {
      await output.write(randomBytes(megabyte))
    }
  } finally {
    await output.close()
  }
}
