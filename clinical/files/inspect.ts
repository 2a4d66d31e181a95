// Inspects uploaded bytes, and copies them only if they haven't changed since, so a concurrent
// upload to the same URL can't replace the inspected bytes.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { endBytes, isOf, type Mime } from '../viewer/sniff.ts'
import { documentKey, StorageUnavailable, type Storage, uploadKey } from '../storage/storage.ts'

export type InspectResult = { size: number } | 'missing' | 'wrong size' | 'another type'

type Reserved = { object: string; mime: Mime; declared_bytes: number | null }

const attemptsMax = 3

export async function inspect(
  storage: Storage,
  mode: Mode,
  reserved: Reserved,
): Promise<InspectResult> {
  const { object, mime, declared_bytes: declared } = reserved
  const key = uploadKey(mode, object)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const stored = await storage.stat(key)
    if (!stored || stored.size === 0) return 'missing'
    const { size, tag } = stored
    if (size > limits.fileBytesMax || size !== (declared ?? size)) return 'wrong size'
    const head = await storage.slice(key, 0, Math.min(size, endBytes))
    const tail = await storage.slice(key, Math.max(0, size - endBytes), size)
    if (!head || !tail) return 'missing'
    if (!isOf(mime, { head, tail })) return 'another type'
    if (await storage.copyIfUnchanged(key, documentKey(mode, object), tag)) return { size }
  }
  throw new StorageUnavailable('the upload kept changing while it was checked')
}
