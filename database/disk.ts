// A disk's free space, and the thresholds below which it's too low.
import { existsSync, statfsSync } from 'node:fs'
import path from 'node:path'

export const megabyte = 2 ** 20
/** Below this size, PostgreSQL may stop on any write and fail to recover. */
export const fullBytes = 32 * megabyte
/** Below this size, an operator should free space before something stops. */
export const nearlyFullBytes = 256 * megabyte

/** Free bytes on the disk that holds a folder, or its nearest existing parent. */
export function freeBytes(folder: string): number {
  if (!existsSync(folder)) return freeBytes(path.dirname(folder))
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
