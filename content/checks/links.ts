import { routes } from '../known.ts'
import { blocks, headings } from './blocks.ts'
import { place } from './finding.ts'
import type { Content, Entry } from '../read.ts'
import type { Finding } from './finding.ts'

type Link = { href: string; line: number; column: number }

/** Every address of the site, each with the anchors its page has. */
export function addresses(content: Content): Map<string, Set<string>> {
  const known = new Map(routes.map(route => [route, new Set<string>()]))
  for (const entry of content.articles) {
    if (entry.yaml.get('draft') === true) continue
    const anchors = headings(entry.body, entry.bodyStart).map(heading => heading.id)
    known.set(`/blog/${entry.name}`, new Set(anchors))
  }
  return known
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
    const page = known.get(path === '' ? `/blog/${entry.name}` : path.replace(/\?.*$/, ''))
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

/** Links of a markdown body, or the `href` values of a YAML page. */
function linksOf(entry: Entry): Link[] {
  if (entry.body === '') {
    return [...entry.source.matchAll(/href: ["']?([^\s"']+)/g)].map(hit => ({
      href: hit[1] ?? '',
      ...place(entry.source, hit.index, 1),
    }))
  }
  return blocks(entry.body, entry.bodyStart)
    .filter(block => block.kind === 'text')
    .flatMap(block =>
      [...block.text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)].map(hit => ({
        href: hit[1] ?? '',
        ...block.place(hit.index),
      })),
    )
}
