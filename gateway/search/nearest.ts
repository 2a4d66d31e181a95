// The 404 response: the built "not found" page, plus the pages that the visitor probably wanted.
import { distance } from 'fastest-levenshtein'
import { termsOf } from '#content/ranking/question.ts'
import type { Ranking } from '#content/ranking/rank.ts'
import type { Site } from '../static/static.ts'

type Near = { readonly title: string; readonly url: string }
type Pages = { readonly site: Site; readonly rank: Ranking }

const shownMax = 3
/** No page has a longer path, and looking up each misspelled word costs as much as a question. */
const [pathLengthMax, wordsMax] = [100, 5]

/** A page whose last word is spelled similarly, then pages that match the path's words. */
export function nearestPages(path: string, { site, rank }: Pages): Near[] {
  if (path.length > pathLengthMax) return []
  const bare = path.toLowerCase().replace(/\.\w+$/, '')
  const wanted = lastOf(bare)
  const editsMax = wanted.length < 3 ? -1 : Math.floor(wanted.length / 3)
  const alike = site.pages
    .map(url => ({ url, edits: distance(wanted, lastOf(url)) }))
    .filter(({ edits }) => edits <= editsMax)
    .map(each => ({ ...each, whole: distance(bare, each.url) }))
    .sort((one, other) => one.edits - other.edits || one.whole - other.whole)
    .map(({ url }) => url)
  const words = (bare.match(/[a-z]{3,}/g) ?? []).slice(0, wordsMax).join(' ')
  const found = words === '' ? [] : rank(termsOf(words), shownMax).map(({ url }) => url)
  return [...new Set([...alike.slice(0, shownMax), ...found])]
    .slice(0, shownMax)
    .map(url => ({ url, title: titleOf(site, url) }))
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Reads the Markdown version's front matter, whose values are JSON. */
function titleOf(site: Site, url: string): string {
  const markdown = site.text(url === '/' ? '/index.md' : `${url}.md`) ?? ''
  const [, title = JSON.stringify(url)] = /^title: (".*")$/m.exec(markdown) ?? []
  return String(JSON.parse(title))
}

/** The built 404 response with the nearest pages added. */
export async function withNearest(missing: Response, near: readonly Near[]): Promise<Response> {
  const { status, headers } = missing
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('text/html')) return inHtml(near).transform(missing)
  const text = await missing.text()
  return new Response(type.includes('json') ? inJson(text, near) : inMarkdown(text, near), {
    status,
    headers,
  })
}

const inHtml = (near: readonly Near[]) =>
  new HTMLRewriter().on('#nearest', {
    element(element) {
      const items = near.map(
        ({ title, url }) =>
          `<li><a href="${url}">${Bun.escapeHTML(title)}</a><span>${url}</span></li>`,
      )
      element.removeAttribute('hidden')
      element.setInnerContent(
        `<h2 class="listing-title">Nearest pages</h2><ul class="recovery">${items.join('')}</ul>`,
        { html: true },
      )
    },
  })

/** Inserts the list before the first section. */
function inMarkdown(text: string, near: readonly Near[]): string {
  const lines = near.map(({ title, url }) => `- [${title}](${url})`)
  return text.replace('\n## ', () => `\n## Nearest pages\n\n${lines.join('\n')}\n\n## `)
}

const inJson = (text: string, near: readonly Near[]) =>
  JSON.stringify({
    ...JSON.parse(text),
    hint: 'Open a page in nearest, or search with /ask?query=your+question.',
    nearest: near,
  })
