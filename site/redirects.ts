import { basePaths, pagePaths } from '#content/paths.ts'
import type { Content, Entry } from '#content/read.ts'

/**
 * The addresses that pages had before, one line each, as hosts of static files read them. The
 * gateway and the edge configurations read the same file, so an old address leads to one place from
 * all.
 */
export function redirectsOf(content: Content): string {
  const named = Object.entries(basePaths).flatMap(([folder, base]) =>
    content[folder as keyof typeof basePaths].map(entry => lines(entry, `${base}/${entry.name}`)),
  )
  const pages = content.pages.map(entry => lines(entry, pagePaths[entry.name] ?? '/'))
  return [...named, ...pages].flat().sort().join('')
}

function lines(entry: Entry, to: string): string[] {
  const value: unknown = entry.data
  if (typeof value !== 'object' || value === null || !('redirect_from' in value)) return []
  const from: unknown[] = Array.isArray(value.redirect_from) ? value.redirect_from : []
  return from.flatMap(old => [`${String(old)} ${to} 301\n`, `${String(old)}.md ${to}.md 301\n`])
}
