import { at } from './frontmatter.ts'
import { addresses } from './links.ts'
import type { Content, Entry } from '../read.ts'
import type { Finding } from './finding.ts'

/** An old address leads to one page, and to none that still stands. */
export function checkRedirects(entries: Entry[], content: Content): Finding[] {
  const { known } = addresses(content)
  const claimed = new Map<string, Entry>()
  return entries.flatMap(entry => {
    const data: Record<string, unknown> = { ...(entry.data as object) }
    const old: unknown[] = Array.isArray(data['redirect_from']) ? data['redirect_from'] : []
    return old.flatMap((from, index) => {
      const path = String(from)
      const earlier = claimed.get(path)
      claimed.set(path, entry)
      if (earlier === undefined && !known.has(path)) return []
      const message = known.has(path)
        ? `${path} is a page that stands`
        : `${path} is also claimed by ${earlier?.path ?? ''}`
      const where = at(entry, ['redirect_from', index])
      return [{ path: entry.path, ...where, rule: 'F-redirect', message, fix: 'remove it here' }]
    })
  })
}
