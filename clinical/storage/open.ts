// Uses a bucket as storage if one is configured, otherwise a local folder.

import { openDisk } from './disk.ts'
import { type Bucket, openBucket } from './s3.ts'
import type { Storage } from './storage.ts'

export type StorageSettings = {
  /** A local folder for the objects themselves, or for spool files before they go to a bucket. */
  folder: string
  /** A bucket with the S3 interface; without one, the folder is the storage. */
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
