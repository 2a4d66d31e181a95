// What makes two requests the same request (contract/10, sections 2 and 3).

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { LRUCache } from 'lru-cache'

const form = /^[\x21-\x7e]+$/
const recentMax = 10_000

/** Keys that were answered of late, in their tenants. Whoever sends one again most likely wants
 *  what was answered, so its record is asked for alone; one that is not here is answered alike. */
export class RecentKeys {
  private readonly known: LRUCache<string, true>

  constructor(most = recentMax) {
    this.known = new LRUCache({ max: most })
  }

  has = (tenant: string, key: string): boolean => this.known.has(`${tenant} ${key}`)

  add = (tenant: string, key: string): void => void this.known.set(`${tenant} ${key}`, true)
}

/**
 * The key of a write, or a refusal. A pair of double quotes around it is the draft's other form.
 */
export function keyOf(header: string | null): string {
  const quoted = header !== null && /^".*"$/.test(header)
  const key = quoted ? header.slice(1, -1) : (header ?? '')
  if (key.length > limits.idempotencyKeyLengthMax || !form.test(key)) {
    const detail =
      header === null
        ? 'The Idempotency-Key header is missing.'
        : `The Idempotency-Key header must be 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters without spaces.`
    throw new Problem('idempotency_key_required', { detail })
  }
  return key
}

/** JSON in one form: members sorted, no white space, so that only a changed value changes it. */
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

/** SHA-256 over the method, the path with its ids, the sorted query and the body as parsed. */
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
