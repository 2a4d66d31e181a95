// What every page has, for readers without scripts and for Markdown readers.
import { linksIn } from './files.ts'
import { type Answer, at, browser, type Check, entries, inBatches, list, must } from './scan.ts'
import { allAnswer, isAbsolute, type Page, type Scan, markdownPathOf, word } from './scan.ts'

/** A check that runs on every page in the sitemap. */
function onEveryPage(name: string, look: (page: Page, scan: Scan) => Promise<void> | void): Check {
  return {
    name,
    async run(scan) {
      const pages = await scan.pages()
      await inBatches(pages, async page => look(page, scan))
      return `${pages.length} pages`
    },
  }
}

const markdownMax = 100_000

const markdownVersions = onEveryPage(
  'markdown markdown',
  ({ address, path, lastmod, markdown }, { site }) => {
    const where = markdownPathOf(path)
    must(markdown.status === 200, `${where} returned ${markdown.status}`)
    must(markdown.type === 'text/markdown; charset=utf-8', `${where} is ${markdown.type}`)
    const [, head = '', text = ''] = markdown.text.split(/^---$/m)
    for (const key of ['title', 'description', 'canonical', 'last-updated', 'last_updated']) {
      must(new RegExp(`^${key}: "?\\S`, 'm').test(head), `${where} has no ${key}`)
    }
    must(head.includes(`canonical: "${address}"`), `${where} has another canonical address`)
    must(head.includes(`last-updated: "${lastmod}"`), `${where} has another day than the sitemap`)
    must(text.slice(0, 400).includes('/llms.txt'), `${where} does not point to llms.txt`)
    must(text.length <= markdownMax, `${where} has more than ${markdownMax} characters`)
    must((text.match(/^ *`{3,}/gm) ?? []).length % 2 === 0, `${where} leaves a code block open`)
    const prose = text.replace(/^( *`{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
    const targets = [...prose.matchAll(/\]\((?!mailto:|#)([^)]*)\)/g)].map(found => found[1] ?? '')
    const relative = targets.find(target => !isAbsolute(target, site))
    must(relative === undefined, `${where} has a link that is not absolute: ${relative}`)
  },
)

type Wish = { accept: string; isMarkdown: boolean }
const wishes: Wish[] = [
  { accept: 'text/markdown', isMarkdown: true },
  { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1', isMarkdown: true },
  { accept: 'text/html, text/markdown;q=0.5', isMarkdown: false },
  { accept: 'text/html, text/markdown;q=0', isMarkdown: false },
  { accept: '*/*', isMarkdown: false },
]

/** The status page changes by the minute, so both forms are requested again, back to back. */
async function answersAlike(path: string, accept: string, isMarkdown: boolean, ask: Scan['ask']) {
  const plain = isMarkdown ? 'text/markdown' : browser
  const answers = [accept, plain].map(each => ask(path, { accept: each, again: true }))
  const [wished, expected] = await Promise.all(answers)
  return wished?.text === expected?.text
}

const negotiation = onEveryPage(
  'negotiation by Accept',
  async ({ path, html, markdown }, { ask }) => {
    for (const { accept, isMarkdown } of wishes) {
      const answer = await ask(path, { accept })
      const where = `${path} with Accept: ${accept}`
      const first = isMarkdown ? markdown.text : html.text
      must(
        answer.text === first || (await answersAlike(path, accept, isMarkdown, ask)),
        `${where} returned the other form`,
      )
      must(/\baccept\b/i.test(answer.headers.get('vary') ?? ''), `${where} has no Vary: Accept`)
    }
    const tag = (answer: Answer) => answer.headers.get('etag')
    const marked = await ask(path, { accept: 'text/markdown' })
    must(tag(html) !== null && tag(html) !== tag(marked), `${path} has one ETag for two forms`)
    const tokens = Number(marked.headers.get('x-markdown-tokens'))
    must(tokens > 0, `${path} as markdown has no x-markdown-tokens`)
  },
)

const links = onEveryPage('Link headers between both forms', async ({ path, html }, { ask }) => {
  const alternate = linksIn(html.headers.get('link')).find(({ rel }) => rel === 'alternate')
  must(alternate?.target === markdownPathOf(path), `${path} has no Link to its markdown`)
  const marked = await ask(path, { accept: 'text/markdown' })
  const canonical = linksIn(marked.headers.get('link')).find(({ rel }) => rel === 'canonical')
  must(canonical?.target.endsWith(path) === true, `${path} as markdown has no canonical Link`)
})

const attribute = (html: string, pattern: string) =>
  new RegExp(`<${pattern}[^>]*?(?:href|content)="([^"]*)"`).exec(html)?.[1] ?? ''

const head = onEveryPage('canonical, description, Open Graph', async (page, scan) => {
  const { text } = page.html
  const { path } = page
  must(/<html lang="[a-z]{2}/.test(text), `${path} has no language`)
  must(/<title>[^<]{5,}<\/title>/.test(text), `${path} has no title`)
  must(attribute(text, 'link rel="canonical"') === page.address, `${path} has no canonical`)
  must(attribute(text, 'link rel="alternate" type="text/markdown"') !== '', `${path}: no markdown`)
  must(attribute(text, 'meta name="description"').length >= 50, `${path} has no description`)
  for (const name of ['type', 'title', 'description', 'url', 'image', 'site_name']) {
    must(attribute(text, `meta property="og:${name}"`) !== '', `${path} has no og:${name}`)
  }
  const picture = attribute(text, 'meta property="og:image"')
  const { status, type } = await scan.ask(picture)
  must(status === 200 && type === 'image/png', `${picture} returned ${status} ${type}`)
})

const wholeTexts = onEveryPage('complete without scripts', ({ path, html }) => {
  const elsewhere = /<script[^>]* src="(?!\/)/.test(html.text)
  must(!elsewhere, `${path} runs a script of another host`)
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html.text)?.[1] ?? ''
  const text = main
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  must(text.length >= 500, `${path} has only ${text.length} characters of text`)
  const levels = [...main.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level))
  must(levels.filter(level => level === 1).length === 1, `${path} does not have exactly one h1`)
  levels.forEach((level, index) => {
    must(level - (levels[index - 1] ?? 0) <= 1, `${path} skips to h${level}`)
  })
  must(!/<img(?![^>]* alt=)/.test(html.text), `${path} has an image without alternative text`)
  must(html.bytes.length < 1_000_000, `${path} is larger than a megabyte`)
})

const required: Readonly<Record<string, string[]>> = {
  Article: ['headline', 'author', 'publisher', 'datePublished', 'dateModified', 'image', 'url'],
  TechArticle: ['headline', 'author', 'publisher', 'datePublished', 'dateModified', 'url'],
  Organization: ['name', 'url', 'contactPoint'],
  WebSite: ['name', 'url', 'publisher'],
  FAQPage: ['mainEntity'],
}

/** A page's structured data: each type with its fields. */
function dataOf({ path, html }: Page): { type: string; data: unknown }[] {
  const texts = [...html.text.matchAll(/<script type="application\/ld\+json">([^<]*)</g)]
  return texts.flatMap(([, text = '']) => {
    const parsed: unknown = JSON.parse(text)
    const all = Array.isArray(parsed) ? list(parsed) : [parsed]
    return all.map(data => {
      must(at(data, '@context') === 'https://schema.org', `${path}: JSON-LD of no schema.org`)
      return { type: word(at(data, '@type')), data }
    })
  })
}

/** Tools and link lists, which aren't articles. */
const plain = new Set(['/docs/api/try', '/docs/webhooks/check-a-signature'])

const expected = (path: string): string[] => {
  if (path === '/') return ['Organization', 'WebSite']
  if (path === '/pricing') return ['WebPage', 'FAQPage']
  if (/^\/(blog|compare)\/./.test(path)) return ['Article']
  return /^\/docs\/./.test(path) && !plain.has(path) ? ['TechArticle'] : []
}

const jsonLd = onEveryPage('JSON-LD, its types and members', page => {
  const found = dataOf(page)
  must(found.length > 0, `${page.path} has no JSON-LD`)
  for (const type of expected(page.path)) {
    must(
      found.some(each => each.type === type),
      `${page.path} is no ${type}`,
    )
  }
  for (const { type, data } of found) {
    must(/^[A-Z]\w+$/.test(type), `${page.path} has JSON-LD without a type`)
    const members = new Set(entries(data).map(([name]) => name))
    for (const name of required[type] ?? []) {
      must(members.has(name), `${page.path}: ${type} has no ${name}`)
    }
  }
})

const inside = onEveryPage('links of every page', async ({ address, html }, scan) => {
  const hrefs = [...html.text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) =>
    new URL(href.replaceAll('&amp;', '&'), address).href.replace(/#.*$/, ''),
  )
  await allAnswer(scan, hrefs)
})

const caching = onEveryPage('a validator, and 304', async ({ path, html }, { ask }) => {
  const askAgain = async ({ headers }: { headers: Headers }) =>
    ask(path, { accept: browser, headers: { 'if-none-match': headers.get('etag') ?? '' } })
  let again = await askAgain(html)
  // If the page has changed in the meantime, requests it with its new tag.
  if (again.status === 200) again = await askAgain(again)
  must(again.status === 304, `${path} returned ${again.status} for its own ETag`)
})

const trusted: Check = {
  name: 'about, privacy, pricing, developers',
  async run(scan) {
    const pages = await scan.pages()
    for (const path of ['/about', '/privacy', '/pricing', '/developers', '/security']) {
      const page = pages.find(each => each.path === path)
      must(
        page !== undefined && page.markdown.text.length > 500,
        `${path} is missing or says little`,
      )
    }
    return 'each has more than 500 characters'
  },
}

export const pageChecks = [
  markdownVersions,
  negotiation,
  links,
  head,
  jsonLd,
  wholeTexts,
  inside,
  caching,
  trusted,
]
