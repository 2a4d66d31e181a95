import { basePaths, pagePaths, routes } from '../paths.ts'
import { headings, partsOf } from './blocks.ts'
import { place } from '../finding.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Content } from '../read.ts'
import type { Finding } from '../finding.ts'

/** `at` is the position of the link's URL. */
type Link = { href: string; line: number; column: number; at: Place }
type Place = { line: number; column: number }

export type Addresses = {
  /** Every URL on the site with its page's anchors. */
  known: Map<string, Set<string>>
  drafts: Set<string>
  /** Each moved page's former and current URL. */
  moved: Map<string, string>
}

export function addresses(content: Content, made: string[] = []): Addresses {
  const known = new Map([...routes, ...made].map(route => [route, new Set<string>()]))
  const drafts = new Set<string>()
  const moved = new Map<string, string>()
  for (const folder of ['articles', 'comparisons', 'docs', 'pages'] as const) {
    for (const entry of content[folder]) {
      const path = pathOf(entry)
      if (path === undefined) continue
      if (valueOf(entry, 'draft') === true) drafts.add(path)
      else known.set(path, anchorsOf(entry))
      const before = valueOf(entry, 'redirect_from')
      for (const old of Array.isArray(before) ? before.map(String) : []) moved.set(old, path)
    }
  }
  return { known, drafts, moved }
}

/** A page's anchors. Returns no anchors if a computed block adds headings. */
function anchorsOf(entry: Entry): Set<string> {
  if (/^\[\[[a-z-]+\]\]$/m.test(entry.body)) return new Set()
  return new Set(headings(entry).map(heading => heading.id))
}

/** The URL of a file's page, if it has one. */
export function pathOf(entry: Entry): string | undefined {
  const folder = entry.path.split('/')[1] ?? ''
  if (folder === 'pages') return pagePaths[entry.name]
  const base = Object.entries(basePaths).find(([name]) => name === folder)?.[1]
  return base === undefined ? undefined : `${base}/${entry.name}`
}

export function checkLinks(entry: Entry, all: Addresses): Finding[] {
  return linksOf(entry).flatMap(link => {
    const { href, line, column, at } = link
    const found = (rule: string, message: string, fix: string, edit?: Finding['edit']) => [
      { path: entry.path, line, column, rule, message, fix, edit },
    ]
    if (href.startsWith('http://')) {
      const edit = { ...at, length: 'http'.length, text: 'https' }
      return found('K-http', `${href} must use https`, 'use https', edit)
    }
    if (!/^[/#]/.test(href)) return []
    const [whole = '', anchor] = href.split('#')
    const path = whole.replace(/\?.*$/, '')
    const page = all.known.get(path === '' ? (pathOf(entry) ?? '/') : path)
    if (page === undefined) return deadLink(path, link, all, found)
    if (anchor === undefined || page.size === 0 || page.has(anchor)) return []
    const fix = `one of: ${[...page].map(id => `#${id}`).join(', ')}`
    return found('K-dead-anchor', `#${anchor} must be a heading on that page`, fix)
  })
}

type Make = (rule: string, message: string, fix: string, edit?: Finding['edit']) => Finding[]

/** Reports a link to a moved page, to a page's Markdown version, or to a draft. */
function deadLink(path: string, { href, at }: Link, all: Addresses, found: Make): Finding[] {
  const page = path.replace(/\.md$/, '')
  const to = all.moved.get(path) ?? (all.known.has(page) ? page : undefined)
  if (to !== undefined) {
    const message =
      to === page ? `${href} is a page's Markdown version` : `${href} is an old URL of ${to}`
    return found('K-dead-link', message, `write ${to}`, { ...at, length: path.length, text: to })
  }
  if (all.drafts.has(path)) {
    return found('K-dead-link', `${href} is a draft`, 'publish it too, or remove the link')
  }
  return found('K-dead-link', `${href} must be a page`, 'fix or remove the link')
}

/** Whether a file has no body, so readers see its values. */
export const isData = (entry: Entry) => /\.(yaml|json)$/.test(entry.path)

/** A Markdown body's links, or a YAML page's `href` values. */
export function linksOf(entry: Entry): Link[] {
  if (isData(entry)) {
    return [...entry.source.matchAll(/(?:href: |"url": )["']?([^\s"']+)/g)].map(hit => {
      const href = hit[1] ?? ''
      const at = place(entry.source, hit.index + hit[0].length - href.length, 1)
      return { href, ...place(entry.source, hit.index, 1), at }
    })
  }
  return partsOf(entry)
    .filter(block => block.kind === 'text')
    .flatMap(block =>
      [...block.text.matchAll(/((?<!!)\[[^\]]*\]\()([^)\s]+)[^)]*\)/g)].map(hit => {
        const [, before = '', href = ''] = hit
        return { href, ...block.place(hit.index), at: block.place(hit.index + before.length) }
      }),
    )
}
