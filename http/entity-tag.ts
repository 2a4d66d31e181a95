// Conditional requests (RFC 9110, section 13).

/**
 * A strong tag, computed from the content, so it's the same on every server. Each content
 * coding is its own representation.
 */
export function etagOf(content: string | Uint8Array, coding?: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('base64url').slice(0, 22)
  return coding === undefined ? `"${hash}"` : `"${hash}-${coding}"`
}

/** Compares a list of tags weakly (RFC 9110, section 13.1.2). A tag may contain a comma. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (etag === '') return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const [tag] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (tag === etag) return true
  return false
}
