import { basePaths, pagePaths, routes } from '../known.ts'
import { headings, partsOf } from './blocks.ts'
import { place } from './finding.ts'
import { type Content, type Entry, valueOf } from '../read.ts'
import type { Finding } from './finding.ts'

type Link = { href: string; line: number; column: number }

/** Every address of the site, each with the anchors its page has. */
export function addresses(content: Content, made: string[] = []): Map<string, Set<string>> {
  const known = new Map([...routes, ...made].map(route => [route, new Set<string>()]))
  for (const [folder, base] of Object.entries(basePaths)) {
    for (const entry of content[folder as keyof typeof basePaths]) {
      if (valueOf(entry, 'draft') !== true) known.set(`${base}/${entry.name}`, anchorsOf(entry))
    }
  }
  for (const entry of content.pages) {
    const path = pagePaths[entry.name]
    if (path !== undefined) known.set(path, anchorsOf(entry))
  }
  return known
}

/** The anchors of a page. None where a block adds headings that the file does not hold. */
function anchorsOf(entry: Entry): Set<string> {
  if (/^\[\[[a-z-]+\]\]$/m.test(entry.body)) return new Set()
  return new Set(headings(entry).map(heading => heading.id))
}

/** The address of the page that a file becomes. */
export function pathOf(entry: Entry): string {
  const folder = entry.path.split('/')[1] ?? ''
  const base = Object.entries(basePaths).find(([name]) => name === folder)?.[1]
  return base === undefined ? (pagePaths[entry.name] ?? '/') : `${base}/${entry.name}`
}

export function checkLinks(entry: Entry, known: Map<string, Set<string>>): Finding[] {
  return linksOf(entry).flatMap(link => {
    const where = { path: entry.path, line: link.line, column: link.column }
    if (link.href.startsWith('http://')) {
      const message = `${link.href} travels in the clear`
      return [{ ...where, rule: 'K-http', message, fix: 'use https' }]
    }
    if (!/^[/#]/.test(link.href)) return []
    const [path = '', anchor] = link.href.split('#')
    const page = known.get(path === '' ? pathOf(entry) : path.replace(/\?.*$/, ''))
    if (page === undefined) {
      const message = `${link.href} leads nowhere`
      const fix = path.endsWith('.md') ? 'link the page, not its twin' : 'mend or remove the link'
      return [{ ...where, rule: 'K-dead-link', message, fix }]
    }
    if (anchor === undefined || page.size === 0 || page.has(anchor)) return []
    const fix = `one of: ${[...page].map(id => `#${id}`).join(', ')}`
    return [{ ...where, rule: 'K-dead-anchor', message: `no heading #${anchor} there`, fix }]
  })
}

/** A file without a body: all of it is text that readers see. */
export const isData = (entry: Entry) => /\.(yaml|json)$/.test(entry.path)

/** Links of a markdown body, or the `href` values of a YAML page. */
function linksOf(entry: Entry): Link[] {
  if (isData(entry)) {
    return [...entry.source.matchAll(/(?:href: |"url": )["']?([^\s"']+)/g)].map(hit => ({
      href: hit[1] ?? '',
      ...place(entry.source, hit.index, 1),
    }))
  }
  return partsOf(entry)
    .filter(block => block.kind === 'text')
    .flatMap(block =>
      [...block.text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)].map(hit => ({
        href: hit[1] ?? '',
        ...block.place(hit.index),
      })),
    )
}
