import { at } from './frontmatter.ts'
import { addresses, type Addresses } from './links.ts'
import type { Entry } from '../entry.ts'
import type { Content } from '../read.ts'
import type { Finding } from '../finding.ts'

/** A former URL must belong to one page and must not be a current page's URL. */
export function checkRedirects(entries: Entry[], content: Content): Finding[] {
  const { known } = addresses(content)
  const down = new Set(goneAddresses(content))
  const claimed = new Map<string, Entry>()
  return entries.flatMap(entry => {
    const data: Record<string, unknown> = { ...(entry.data as object) }
    const old: unknown[] = Array.isArray(data['redirect_from']) ? data['redirect_from'] : []
    return old.flatMap((from, index) => {
      const path = String(from)
      const earlier = claimed.get(path)
      claimed.set(path, entry)
      if (earlier === undefined && !known.has(path) && !down.has(path)) return []
      const message = known.has(path)
        ? `${path} must not be a page`
        : `${path} must not be claimed by ${earlier?.path ?? 'content/gone.yaml'} as well`
      const where = at(entry, ['redirect_from', index])
      return [{ path: entry.path, ...where, rule: 'F-redirect', message, fix: 'remove it here' }]
    })
  })
}

type GonePage = { path: string; instead: string | null; former: string[] }

export const goneOf = ({ gone: { data } }: Pick<Content, 'gone'>): GonePage[] =>
  Array.isArray(data)
    ? data.map(each => {
        const former: unknown = each?.redirect_from
        return {
          path: String(each?.path),
          instead: each?.instead ?? null,
          former: Array.isArray(former) ? former.map(String) : [],
        }
      })
    : []

/** Every URL of a removed page. */
export const goneAddresses = (content: Pick<Content, 'gone'>): string[] =>
  goneOf(content).flatMap(({ path, former }) => [path, ...former])

/** A removed page must not exist, and its replacement must be a page without a redirect. */
export function checkGone(content: Content, { known, moved }: Addresses): Finding[] {
  const all = goneOf(content)
  const found = (index: number, key: string, message: string, fix: string): Finding => {
    const { path } = content.gone
    return { path, ...at(content.gone, [index, key]), rule: 'F-redirect', message, fix }
  }
  return all.flatMap(({ path, instead, former }, index) => {
    const findings: Finding[] = []
    if (known.has(path)) {
      findings.push(found(index, 'path', `${path} must not be a page`, 'remove it here'))
    }
    for (const each of former.filter(one => known.has(one))) {
      findings.push(found(index, 'redirect_from', `${each} must not be a page`, 'remove it here'))
    }
    if (typeof instead !== 'string' || !instead.startsWith('/')) return findings
    const to = instead.replace(/[#?].*$/, '')
    const next = moved.get(to)
    if (next !== undefined) {
      findings.push(found(index, 'instead', `${to} must not redirect to ${next}`, `write ${next}`))
    } else if (!known.has(to)) {
      const fix = 'name a page, or null'
      findings.push(found(index, 'instead', `${to} must be a page`, fix))
    }
    return findings
  })
}
