// Checks the llms files' form, and that they list every page.
import {
  allAnswer,
  type Check,
  inBatches,
  isAbsolute,
  must,
  type Scan,
  markdownPathOf,
} from './scan.ts'

const charactersMax = 50_000
const scopes = ['developers', 'blog', 'compare', 'pricing', 'api', 'docs']
const linksIn = (text: string) =>
  [...text.matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, href = '']) => href)

/** Requires an h1, a quoted summary, and sections that contain only links. */
function mustBeLlms(where: string, text: string, site: string): void {
  must(/^# \S.*\n\n> \S/.test(text), `${where} does not begin with an h1 and a summary`)
  must(text.length <= charactersMax, `${where} has more than ${charactersMax} characters`)
  const [, ...sections] = text.split(/^## /m)
  must(sections.length > 0, `${where} has no sections`)
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n')
    for (const line of lines.filter(each => each.trim() !== '')) {
      const [, href = ''] = /^- \[[^\]]+\]\(([^)]+)\)(: .+)?$/.exec(line) ?? []
      must(isAbsolute(href, site), `${where}, ${heading}: ${line}`)
    }
  }
}

const form: Check = {
  name: 'llms.txt, its form',
  async run({ ask, site }) {
    const { status, type, text } = await ask('/llms.txt')
    must(status === 200 && /^text\/(plain|markdown)/.test(type), `returned ${status} ${type}`)
    mustBeLlms('/llms.txt', text, site)
    must(/\bwhen to use\b/i.test(text), '/llms.txt does not say when to use it')
    return `${text.length} characters`
  },
}

const links: Check = {
  name: 'llms.txt, live links',
  async run(scan) {
    const hrefs = linksIn((await scan.ask('/llms.txt')).text)
    const count = await allAnswer(scan, hrefs)
    must(count === new Set(hrefs).size, '/llms.txt links another site')
    const pages = hrefs.filter(href => href.endsWith('.md'))
    await inBatches(pages, async href => {
      const { type } = await scan.ask(href)
      must(type.startsWith('text/markdown'), `${href} is ${type}`)
    })
    must(pages.length >= 0.9 * hrefs.length, 'less than nine of ten links lead to Markdown')
    return `${count} respond, ${pages.length} of them Markdown`
  },
}

/** Lists that are too long for this file, such as the reference's, are in another llms.txt. */
const coverage: Check = {
  name: 'llms.txt, every page',
  async run(scan) {
    const first = linksIn((await scan.ask('/llms.txt')).text)
    const further = first.filter(href => href.endsWith('/llms.txt'))
    const more = await Promise.all(further.map(async href => linksIn((await scan.ask(href)).text)))
    const listed = new Set([...first, ...more.flat()])
    const pages = await scan.pages()
    const sitemap = linksIn((await scan.ask('/sitemap.md')).text)
    for (const { path, html } of pages) {
      const before = html.text.slice(html.text.indexOf('<body'), html.text.indexOf('<header'))
      must(before.includes('href="/llms.txt"'), `${path} does not point to llms.txt at its top`)
      must(sitemap.includes(scan.site + markdownPathOf(path)), `/sitemap.md lacks ${path}`)
      const isListed = listed.has(scan.site + markdownPathOf(path))
      must(isListed, `neither /llms.txt nor one that it links to lists ${path}`)
    }
    return `${pages.length} of ${pages.length}`
  },
}

const scoped: Check = {
  name: 'scoped llms.txt',
  async run(scan: Scan) {
    for (const scope of scopes) {
      const where = `/${scope}/llms.txt`
      const { status, text } = await scan.ask(where)
      must(status === 200, `${where} returned ${status}`)
      mustBeLlms(where, text, scan.site)
      await allAnswer(scan, linksIn(text))
    }
    return `${scopes.length} files`
  },
}

const full: Check = {
  name: 'llms-full.txt',
  async run(scan) {
    const { status, text } = await scan.ask('/llms-full.txt')
    must(status === 200 && text.length > 500, `returned ${status}, ${text.length} characters`)
    const sources = [...text.matchAll(/^Source: (\S+)$/gm)].map(([, source = '']) => source)
    const wanted = (await scan.pages()).filter(({ path }) => /^\/(blog|compare)\/./.test(path))
    for (const { address } of wanted) {
      must(sources.includes(address), `/llms-full.txt lacks ${address}`)
    }
    return `${sources.length} documents`
  },
}

export const llmsChecks = [form, links, coverage, scoped, full]
