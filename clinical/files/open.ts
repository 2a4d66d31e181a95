// Which storage this house has.

import { openDisk } from './disk.ts'
import type { Storage } from './storage.ts'

export type StorageSettings = {
  /** A folder of this machine: for the objects themselves, or on their way to a bucket. */
  folder: string
}

export const openStorage = (
  settings: StorageSettings,
  now: () => number,
  fresh: () => string,
): Storage => openDisk(settings.folder, now, fresh)
