// Idempotency keys, and the fingerprint that decides whether two requests are the same.

import { idempotencyKeyIn, keyForm } from '#contract/idempotency-key.ts'
import { Problem } from '#contract/problems.ts'
import { LRUCache } from 'lru-cache'

const recentMax = 10_000

/** Recently used keys by tenant. A request with a recent key is most likely a repeat, so its record
 *  is looked up first. This only saves work, and doesn't change any response. */
export class RecentKeys {
  private readonly keys: LRUCache<string, true>

  constructor(max = recentMax) {
    this.keys = new LRUCache({ max })
  }

  has = (tenant: string, key: string): boolean => this.keys.has(`${tenant} ${key}`)

  add = (tenant: string, key: string): void => void this.keys.set(`${tenant} ${key}`, true)
}

/** Returns the key without the quotes that draft-ietf-httpapi-idempotency-key-header puts around
 *  it. */
export function keyOf(header: string | null): string {
  const key = header === null ? null : idempotencyKeyIn(header)
  if (key !== null) return key
  const detail = header === null ? 'is missing' : `must be ${keyForm}`
  throw new Problem('idempotency_key_required', { detail: `The Idempotency-Key header ${detail}.` })
}

/** Returns canonical JSON, with sorted names and no white space, so equal values have equal texts.
 */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonical(item)}`
    return `[${text}]`
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members).sort()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(members[name])}`
  }
  return `{${text}}`
}

/** SHA-256 over the method, the path with its IDs, the sorted query and the parsed body. */
export function fingerprintOf(
  method: string,
  path: string,
  query: URLSearchParams,
  body: unknown,
): Uint8Array {
  const sorted = [...query].map(pair => pair.join('=')).toSorted()
  return new Bun.CryptoHasher('sha256')
    .update(`${method}\n${path}\n${sorted.join('&')}\n${canonical(body ?? {})}`)
    .digest()
}
