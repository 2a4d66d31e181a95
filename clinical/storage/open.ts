// Which storage this house has.

import { openDisk } from './disk.ts'
import { type Bucket, openBucket } from './s3.ts'
import type { Storage } from './storage.ts'

export type StorageSettings = {
  /** A folder of this machine: for the objects themselves, or on their way to a bucket. */
  folder: string
  /** A bucket that speaks S3; without one, the folder is the storage. */
  bucket?: Bucket | undefined
}

export function openStorage(
  { folder, bucket }: StorageSettings,
  now: () => number,
  fresh: () => string,
): Storage {
  const disk = openDisk(folder, now, fresh)
  return bucket ? openBucket(bucket, disk, now) : disk
}
