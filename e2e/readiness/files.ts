// The files that every crawler requests first.
import { allAnswer, type Check, inBatches, must, type Scan, word } from './scan.ts'

// All clients must get the same response, because nothing depends on User-Agent.
const clients = [
  'ExampleBot/1.0 (+https://example.com/bot)',
  'Mozilla/5.0 (compatible; ExampleBot/1.0)',
  'curl/8.0',
  'python-urllib/3.11',
]

const robots: Check = {
  name: 'robots.txt',
  async run({ ask }) {
    const { status, type, text } = await ask('/robots.txt')
    must(status === 200 && type.startsWith('text/plain'), `/robots.txt returned ${status} ${type}`)
    must(/^User-agent: \*$/m.test(text), '/robots.txt has no group for all agents')
    must(!/^Disallow: \/$/m.test(text), '/robots.txt forbids everything')
    for (const line of text.split('\n').filter(each => each.trim() !== '')) {
      const isKnown = /^(#|User-agent:|Allow:|Disallow:|Sitemap:|Content-Signal:)/.test(line)
      must(isKnown, `/robots.txt has a line that some readers reject: ${line}`)
    }
    return 'all agents may read'
  },
}

const signals: Check = {
  name: 'content signals',
  async run({ ask }) {
    const { text } = await ask('/robots.txt')
    const signal = /^Content-Signal: (.+)$/m.exec(text)?.[1] ?? ''
    for (const key of ['search', 'ai-input', 'ai-train']) {
      must(new RegExp(`\\b${key}=(yes|no)\\b`).test(signal), `/robots.txt has no ${key}`)
    }
    return signal
  },
}

const reachable: Check = {
  name: 'crawlers are allowed',
  async run({ ask }) {
    await inBatches(clients, async name => {
      const { status } = await ask('/', { headers: { 'user-agent': name } })
      must(status === 200, `/ returned ${status} to ${name}`)
    })
    return `${clients.length} kinds of clients`
  },
}

const sitemap: Check = {
  name: 'sitemap.xml',
  async run(scan) {
    const { status, type, text } = await scan.ask('/sitemap.xml')
    must(status === 200 && /^(application|text)\/xml/.test(type), `returned ${status} ${type}`)
    must(text.includes('http://www.sitemaps.org/schemas/sitemap/0.9'), 'is not of sitemaps 0.9')
    mustBeWellFormed('/sitemap.xml', text)
    const pages = await scan.pages()
    must(pages.length > 0, 'lists nothing')
    must(new Set(pages.map(({ address }) => address)).size === pages.length, 'lists a page twice')
    for (const { address, lastmod, html } of pages) {
      must(address.startsWith(`${scan.site}/`), `${address} is not on this site`)
      must(/^\d{4}-\d\d-\d\d/.test(lastmod), `${address} has no lastmod`)
      must(html.status === 200, `${address} returned ${html.status}`)
      must(html.type.startsWith('text/html'), `${address} is ${html.type}`)
    }
    return `${pages.length} pages, each responds and has a date`
  },
}

/** Checks that every element is closed in order, that only one root exists, and that `&` is
 *  escaped. */
function mustBeWellFormed(where: string, xml: string): void {
  const open: string[] = []
  const bare = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
  const loose = /&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.exec(bare)
  must(loose === null, `${where} has an & that is not escaped, at ${loose?.index}`)
  for (const [, closing, name = '', empty] of bare.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (empty === '/') continue
    if (closing === '') open.push(name)
    else must(open.pop() === name, `${where} closes <${name}> where it is not open`)
  }
  must(open.length === 0, `${where} leaves <${open.at(-1)}> open`)
}

const tag = (xml: string, name: string) =>
  new RegExp(`<${name}[^>]*>([\\s\\S]*?)</${name}>`).exec(xml)?.[1] ?? ''

const feed: Check = {
  name: 'feed.xml',
  async run(scan) {
    const { status, type, text } = await scan.ask('/feed.xml')
    must(status === 200 && type.startsWith('application/rss+xml'), `returned ${status} ${type}`)
    mustBeWellFormed('/feed.xml', text)
    must(/<rss[^>]* version="2\.0"/.test(text), 'is not RSS 2.0')
    const [channel = '', ...items] = text.split('<item>')
    for (const name of ['title', 'link', 'description']) {
      must(tag(channel, name) !== '', `the channel has no ${name}`)
    }
    must(/<atom:link [^>]*rel="self"/.test(channel), 'has no link to itself')
    const guids = new Set(items.map(item => tag(item, 'guid')))
    must(items.length > 0 && guids.size === items.length, 'has no items, or a guid twice')
    const day = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} (GMT|\+0000)$/
    for (const item of items) {
      const title = tag(item, 'title')
      must(title !== '' && tag(item, 'link') !== '', `the item “${title}” lacks title or link`)
      must(day.test(tag(item, 'pubDate')), `“${title}” has a pubDate in another format`)
    }
    await allAnswer(
      scan,
      items.map(item => tag(item, 'link')),
    )
    return `${items.length} items`
  },
}

const securityTxt: Check = {
  name: 'security.txt (RFC 9116)',
  async run(scan) {
    const { status, type, text } = await scan.ask('/.well-known/security.txt')
    must(status === 200 && type.startsWith('text/plain'), `returned ${status} ${type}`)
    const fields = new Map(text.split('\n').map(line => [line.split(': ')[0] ?? '', line]))
    const field = (name: string) => fields.get(name)?.slice(name.length + 2) ?? ''
    must(/^(mailto:|https:)/.test(field('Contact')), 'has no Contact')
    must(!Number.isNaN(Date.parse(field('Expires'))), 'has no Expires')
    must(field('Canonical').startsWith(scan.site), 'has no Canonical of this site')
    await allAnswer(scan, [field('Canonical'), field('Policy')])
    return `expires on ${field('Expires')}`
  },
}

const rels = ['api-catalog', 'service-desc', 'service-doc', 'describedby', 'ai-catalog', 'sitemap']

/** Each link's relation and target in a header. */
export const linksIn = (header: string | null) =>
  [...(header ?? '').matchAll(/<([^>]+)>;[^<]*?rel="?([\w-]+)"?/g)].map(
    ([, target = '', rel = '']) => ({ target, rel }),
  )

const linkHeaders: Check = {
  name: 'Link headers of / (RFC 8288)',
  async run({ ask }: Scan) {
    for (const method of ['GET', 'HEAD']) {
      const found = linksIn((await ask('/', { method })).headers.get('link'))
      for (const rel of rels) {
        must(
          found.some(link => link.rel === rel),
          `${method} / has no rel="${rel}"`,
        )
      }
      for (const { target } of found) {
        const { status } = await ask(word(target))
        must(status === 200, `Link leads to ${target}, which returned ${status}`)
      }
    }
    return `${rels.length} relations, each responds`
  },
}

export const fileChecks = [robots, signals, reachable, sitemap, feed, securityTxt, linkHeaders]
