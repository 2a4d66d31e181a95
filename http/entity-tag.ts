// Conditional requests (RFC 9110, section 13).

/** RFC 9110, section 13.1.2: a list, compared weakly; a tag may contain a comma. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (etag === '') return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const [tag] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (tag === etag) return true
  return false
}
