// A file next to the data directory that reserves disk space. On a full disk, PostgreSQL stops and
// can't start again, because recovery has to write. Removing the file frees the space for recovery.
// Once the disk has room, the file is written again.
import { existsSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomBytes } from '../clock.ts'
import { freeBytes, fullBytes, megabyte, nearlyFullBytes } from '../disk.ts'

/** Four WAL segments, because recovery ends with a checkpoint in a segment of its own. */
const ballastMegabytes = 64

const fileOf = (dir: string) => `${dir}.ballast`
const partOf = (dir: string) => `${fileOf(dir)}.part`

/** If the disk is full, removes the file and any incomplete one that a killed process left. Returns
 *  whether either existed. */
export function releaseBallast(dir: string): boolean {
  const reserved = [fileOf(dir), partOf(dir)].filter(file => existsSync(file))
  if (reserved.length === 0 || freeBytes(path.dirname(dir)) >= fullBytes) return false
  for (const file of reserved) rmSync(file, { force: true })
  return true
}

/** Writes the file if it's missing and the disk has room. The bytes are random, because a
 *  compressing file system would otherwise reserve no space. */
export async function reserveBallast(dir: string): Promise<void> {
  const file = fileOf(dir)
  if (existsSync(file) || freeBytes(path.dirname(dir)) < nearlyFullBytes) return
  const part = partOf(dir)
  await rm(part, { force: true })
  try {
    await write(part)
    await rename(part, file)
  } finally {
    // If the disk has filled up in the meantime, PostgreSQL needs this space.
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
