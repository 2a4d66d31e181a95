import config from '#content/site.config.ts'
import type { AgeNotice } from '#content/fact-age.ts'
import { problemPath } from '#content/reference.ts'
import { problems } from '#contract/problems.ts'
import type { Home, Sample } from '#content/schema.ts'
import type { ArticlePage, Text } from '../catalog.ts'
import { describeFigures } from '../figures/figures.ts'
import { readable } from '../render/day.ts'
import { notices, notTheProvider, reviewNotice } from '../render/notices.ts'
import { citedIn, endNotice, type Sourced } from '../render/sources.ts'

type Head = {
  title: string
  description: string
  path: string
  updated: string
  aged?: AgeNotice | null
}

export const address = (path: string) => `${config.site}${path}`

/** The URL of a page's Markdown version. */
export const markdownPath = (path: string) => (path === '/' ? '/index.md' : `${path}.md`)

/** The line under every Markdown version's heading, for readers who arrive at one page. */
const pointer = `> Every page is listed in [llms.txt](${address('/llms.txt')}).`

/** A Markdown version without its front matter and the pointer under its heading. */
export const bodyOf = (markdown: string) =>
  markdown.replace(/^---\n[\s\S]*?\n---\n\n/, '').replace(`${pointer}\n\n`, '')

/** A page as Markdown, with the last change date under both names that readers look for. */
export function markdownPage(
  { title, description, path, updated, aged }: Head,
  [heading = '', ...parts]: string[],
): string {
  const days = { 'last-updated': updated, last_updated: updated }
  const robots = aged?.isPastLimit === true ? { robots: 'noindex' } : {}
  const head = { title, description, canonical: address(path), ...days, ...robots }
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const text = [heading, pointer, ...parts].filter(part => part !== '').join('\n\n')
  return `---\n${lines.join('\n')}\n---\n\n${absolute(text)}\n`
}

/** Makes links absolute, because a Markdown version is read outside the site. */
function absolute(markdown: string): string {
  return markdown.replace(/\]\(\//g, `](${config.site}/`)
}

/** The notice for a page with outdated facts, under its title. */
export const agedMarkdown = ({ aged }: { aged: AgeNotice | null }) =>
  aged === null ? '' : `> **${aged.text}**`

export const list = (lines: string[]) => lines.map(line => `- ${line}`).join('\n')
const links = (all: { label: string; href: string }[]) =>
  list(all.map(({ label, href }) => `[${label}](${href})`))
export const fenced = ({ label, language, code, note }: Sample) =>
  `${label}:\n\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\`${note === undefined ? '' : `\n\n${note}`}`

/** Author, date and reading time: the line under an article's title. */
function byline(post: ArticlePage): string[] {
  return [
    `By ${post.by}`,
    `Published ${readable(post.published)}`,
    ...(post.updated === post.published ? [] : [`Updated ${readable(post.updated)}`]),
    `${post.minutes} minutes`,
  ]
}

export function citation(post: ArticlePage): string {
  return `When you quote this, cite the title, this URL and the date: “${post.title}”, ${config.name}, ${address(post.path)}, updated ${post.updated}.`
}

export function noticesOf(post: ArticlePage): string[] {
  const { class: classes, tags, body, checked_on: checked } = post
  return [...notices({ class: classes, tags, text: body, checked }), ...endNotice(post)]
}

/** A page's sources section, empty if it has none. */
export function sourcesMarkdown(page: Sourced): string {
  const lines = citedIn(page).map(({ title, url, when, readAt }) => {
    const at = readAt === undefined ? '' : `, at [${readAt.host}](${readAt.url})`
    return `[${title}](${url}), ${when}${at}`
  })
  return lines.length > 0 ? `## Sources\n\n${list(lines)}` : ''
}

export function articleMarkdown(post: ArticlePage, others: ArticlePage[]): string {
  const related = others.filter(other => post.related.includes(other.slug))
  return markdownPage(post, [
    `# ${post.title}`,
    agedMarkdown(post),
    post.description,
    byline(post).join(' · '),
    reviewNotice(post) ?? '',
    describeFigures(post.body),
    sourcesMarkdown(post),
    related.length > 0
      ? `## Read next\n\n${list(related.map(other => `[${other.title}](${other.path}): ${other.description}`))}`
      : '',
    post.person === null ? '' : `${post.person.name}. ${post.person.bio}`,
    noticesOf(post).join('\n\n'),
    citation(post),
    notTheProvider,
  ])
}

export function blogMarkdown(text: Text, posts: ArticlePage[], updated: string): string {
  return markdownPage({ ...text, updated }, [
    `# ${text.heading}`,
    text.body,
    ...posts.map(
      post =>
        `## [${post.title}](${post.path})\n\n${post.description}\n\n${readable(post.published)} · ${post.labels.join(', ')} · ${post.by} · ${post.minutes} minutes`,
    ),
    notTheProvider,
  ])
}

export function homeMarkdown(home: Home, states: string, steps: string[]): string {
  const { hero, loop, measured, not_included: not, start } = home
  return markdownPage({ ...home, path: '/' }, [
    `# ${home.headline.replace(/\.$/, '')}`,
    home.lead,
    links(home.actions),
    fenced(hero.request),
    fenced(hero.answer),
    `${hero.moves.label}: ${hero.moves.text}`,
    states,
    list(steps),
    ...home.audiences.map(
      audience => `## ${audience.who}\n\n${audience.text}\n\n${links(audience.links)}`,
    ),
    `## ${loop.heading}\n\n${loop.text}`,
    ...loop.steps.map(
      (step, index) =>
        `### ${index + 1}. ${step.heading}\n\n${step.text}\n\n${fenced(step.sample)}\n\n${fenced(step.result)}`,
    ),
    `## ${measured.heading}\n\n${measured.text}\n\n[${measured.link.label}](${measured.link.href})`,
    `## ${not.heading}\n\n${not.text}\n\n${list(not.items.map(item => `**${item.what}.** ${item.why}`))}`,
    `## ${start.heading}\n\n${start.text}\n\n${fenced(start.sample)}\n\n${fenced(start.result)}`,
    notTheProvider,
  ])
}

/** The links of the 404 page and its Markdown version. */
export const recovery: readonly { label: string; href: string; why: string }[] = [
  { label: 'Search', href: '/search', why: 'find any page by question or name' },
  { label: 'Home', href: '/', why: 'what we do, with a real request' },
  { label: 'Guides', href: '/docs', why: 'from the first request to each error' },
  { label: 'API reference', href: '/docs/api', why: 'every operation, schema, event and error' },
  { label: 'Pricing', href: '/pricing', why: 'a free sandbox, live use by quote' },
  { label: 'Comparisons', href: '/compare', why: 'two approaches to one problem' },
  { label: 'Blog', href: '/blog', why: 'every article' },
  { label: 'Book a call', href: '/booking', why: 'half an hour, free' },
  { label: 'llms.txt', href: '/llms.txt', why: 'every page, one line each, in Markdown' },
  { label: 'The contract', href: '/openapi/v1.yaml', why: 'OpenAPI 3.1 of the clinical API' },
]

/** The 404 page as JSON: RFC 9457, with the fields of every problem. */
export function notFoundProblem(): object {
  const { status, title } = problems.not_found
  const detail = 'There’s no page at this URL.'
  const hint = `Search with ${address('/ask')}?query=…, or read the list of pages in see.`
  const see = recovery.map(({ href }) => href)
  return { type: problemPath('not_found'), title, status, detail, code: 'not_found', hint, see }
}

export function notFoundMarkdown(text: Text): string {
  const lines = recovery.map(({ label, href, why }) => `[${label}](${href}): ${why}`)
  return markdownPage(text, [
    `# ${text.heading}`,
    text.body,
    `## Try these pages\n\n${list(lines)}`,
  ])
}
