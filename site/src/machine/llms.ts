import { routes } from '#content/paths.ts'
import { referenceHome } from '#content/reference.ts'
import config from '#content/site.config.ts'
import type { Kind, ListedPage } from './every-page.ts'
import { machineFiles } from '../render/machine-files.ts'
import { notTheProvider } from '../render/notices.ts'
import { address, bodyOf, markdownPath } from './markdown-version.ts'

/** A text's estimated tokens: a quarter of its characters, as in the response header. */
const tokensOf = (text: string) => Math.ceil(text.length / 4)

const line = ({ title, description, path, markdown }: ListedPage) =>
  `- [${title}](${address(markdownPath(path))}): ${description} (${tokensOf(markdown).toLocaleString('en-US')} tokens)`

/** The list nearest to a page: its section's or the site's. */
export function nearestList(path: string): string {
  const near = `/${path.split('/')[1] ?? ''}/llms.txt`
  return routes.includes(near) ? near : '/llms.txt'
}

type Section = { heading: string; holds: (page: ListedPage) => boolean }

const ofKind = (kind: Kind) => (page: ListedPage) => page.kind === kind
const under = (base: string) => (page: ListedPage) =>
  page.path === base || page.path.startsWith(`${base}/`)

const sections: Section[] = [
  { heading: 'Overview', holds: page => page.kind === 'home' || page.kind === 'page' },
  { heading: 'Guides', holds: ofKind('guide') },
  { heading: 'Comparisons', holds: ofKind('comparison') },
  { heading: 'Articles', holds: ofKind('article') },
  { heading: 'Reference', holds: ofKind('reference') },
]

const print = (pages: ListedPage[], write = line) =>
  sections
    .map(({ heading, holds }) => ({ heading, found: pages.filter(holds) }))
    .filter(({ found }) => found.length > 0)
    .map(({ heading, found }) => `## ${heading}\n\n${found.map(write).join('\n')}`)

/** /sitemap.md: every page by title, including the API reference. */
export function sitemapMarkdown(pages: ListedPage[]): string {
  const titled = ({ title, path }: ListedPage) => `- [${title}](${address(markdownPath(path))})`
  const about = `${pages.length} pages, each as Markdown. With descriptions: ${address('/llms.txt')}. With change dates: ${address('/sitemap.xml')}.`
  return [`# ${config.name}: sitemap`, `> ${about}`, ...print(pages, titled)]
    .join('\n\n')
    .concat('\n')
}

/**
 * The machine files in llms.txt. Nine in ten of its links must lead to Markdown, so agents.md lists
 * the other files.
 */
const named = machineFiles.filter(
  ({ path }) => path.endsWith('.md') || /^\/(llms-full\.txt|openapi\/v1\.json)$/.test(path),
)

/**
 * llms.txt has an h1, a quoted summary, prose, and then sections with one line per page, so the
 * reference parser reads the whole file. Every page link leads to its Markdown version. The API
 * reference's first page is listed here, and its other pages are in the docs' scoped file.
 */
export function llms(lead: string, pages: ListedPage[]): string {
  const files = named.map(({ path, what }) => `- [${path}](${address(path)}): ${what}`)
  return [
    `# ${config.name}`,
    `> ${lead}`,
    `When to use this: to learn what ${config.name} does, what it doesn't do and what it costs; to build on its clinical API; or to compare ways to run telehealth consults. It isn't a source of medical advice. ${notTheProvider}`,
    `Each link below is plain Markdown. The HTML page is at the same URL without \`.md\`, and also returns Markdown for \`Accept: text/markdown\`. Send a question to \`${config.site}/ask?query=…\` to get ranked pages. ${address('/agents.md')} says what agents can do here and lists every other file for machines.`,
    `${print(pages.filter(page => page.kind !== 'reference' || page.path === referenceHome)).join('\n\n')}
- [Every operation, schema, event and error](${address('/docs/llms.txt')}): one line each`,
    `## Optional\n\n${files.join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

type Scope = { name: string; title: string; text: string; holds: (page: ListedPage) => boolean }

/** The six scoped files. The files' pages are in llms.txt too, except the API reference pages. */
export const scopes: Scope[] = [
  {
    name: 'developers',
    title: 'for engineers',
    text: 'What the API is, how to get started, and every guide.',
    holds: page => under('/developers')(page) || page.kind === 'guide',
  },
  {
    name: 'blog',
    title: 'articles',
    text: 'What we learned while building, with tested code and measured numbers.',
    holds: under('/blog'),
  },
  {
    name: 'compare',
    title: 'comparisons',
    text: 'Two approaches to one problem, criterion by criterion.',
    holds: under('/compare'),
  },
  {
    name: 'pricing',
    title: 'prices',
    text: 'Prices, what’s free, and how to ask for a quote.',
    holds: page => under('/pricing')(page) || under('/booking')(page),
  },
  {
    name: 'api',
    title: 'the APIs',
    text: `There are two. The clinical API: ${config.site}/openapi/v1.yaml, its tools ${config.site}/docs/tool-server.md, and its preview ${config.site}/openapi/preview.yaml. This site’s own, anonymous and read-only: ${config.site}/openapi.json.`,
    holds: page =>
      under('/developers')(page) ||
      under('/docs')(page) ||
      page.kind === 'reference' ||
      under('/changelog')(page),
  },
  {
    name: 'docs',
    title: 'guides',
    text: 'Guides to the clinical API in sidebar order, then its reference.',
    holds: page => under('/docs')(page) || page.kind === 'reference',
  },
]

export function scopedLlms({ title, text, holds }: Scope, pages: ListedPage[]): string {
  const index = `All pages: ${address('/llms.txt')}`
  return [`# ${config.name}: ${title}`, `> ${text}`, index, ...print(pages.filter(holds))]
    .join('\n\n')
    .concat('\n')
}

/**
 * Every article and comparison in one document, each with its URL, in the blog's order. The list at
 * the top gives each text's byte range as in HTTP.
 */
export function llmsFull(lead: string, pages: ListedPage[]): string {
  const whole = pages.filter(({ kind }) => kind === 'comparison' || kind === 'article')
  const texts = whole.map(({ path, markdown, updated }) => {
    const [heading = '', ...rest] = bodyOf(markdown).split('\n')
    return [heading, '', `Source: ${address(path)}`, `Updated: ${updated}`, ...rest]
      .join('\n')
      .trim()
  })
  const headOf = (start: number): string => {
    let next = start
    const lines = whole.map(({ title, path }, at) => {
      const first = next
      next += Buffer.byteLength(`${texts[at]}\n\n`)
      return `- ${title}: ${address(path)} (bytes ${first}-${next - 3})`
    })
    return [
      `# ${config.name}: everything in one document`,
      `> ${lead}`,
      'To get a single text, send `Range: bytes=first-last` with its byte offsets.',
      `${lines.join('\n')}\n\n`,
    ].join('\n\n')
  }
  return `${settled(headOf)}${texts.join('\n\n')}\n`
}

/** Writes a text that contains its own length, and repeats until the number is right. */
function settled(write: (length: number) => string): string {
  let [text, length] = [write(0), 0]
  while (length !== Buffer.byteLength(text)) {
    length = Buffer.byteLength(text)
    text = write(length)
  }
  return text
}
