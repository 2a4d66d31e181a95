// Looks at what was uploaded, and keeps what it has seen: a later upload under the same address
// cannot slip other bytes in between.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { endBytes, isOf, type Mime } from './sniff.ts'
import { filed, StorageAway, type Storage, uploaded } from '../storage/storage.ts'

export type Seen = { size: number } | 'missing' | 'wrong size' | 'another type'

type Reserved = { object: string; mime: Mime; declared_bytes: number | null }

const looksMax = 3

export async function inspect(storage: Storage, mode: Mode, reserved: Reserved): Promise<Seen> {
  const { object, mime, declared_bytes: declared } = reserved
  const key = uploaded(mode, object)
  for (let looks = 0; looks < looksMax; looks++) {
    const stored = await storage.stat(key)
    if (!stored || stored.size === 0) return 'missing'
    const { size, tag } = stored
    if (size > limits.fileBytesMax || size !== (declared ?? size)) return 'wrong size'
    const head = await storage.slice(key, 0, Math.min(size, endBytes))
    const tail = await storage.slice(key, Math.max(0, size - endBytes), size)
    if (!head || !tail) return 'missing'
    if (!isOf(mime, { head, tail })) return 'another type'
    if (await storage.keep(key, filed(mode, object), tag)) return { size }
  }
  throw new StorageAway('the upload kept changing while it was looked at')
}
