import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { termsOf } from '#content/ranking/question.ts'
import { loadRanking } from '#content/ranking/rank.ts'
import { readContent } from '#content/read.ts'
import { awaitedReviewers } from '#content/reviewers.ts'
import { article, type Person } from '#content/schema.ts'
import { schemas } from '#content/schemas.ts'
import config from '#content/site.config.ts'
import { buildSite, isBuilt } from './build/build.ts'
import type { Quality } from './src/machine/evaluate.ts'
import { markdownHash } from './src/machine/machine.ts'

/** Checks what a crawler finds in the built files. */
const dist = join(import.meta.dir, 'dist')
const read = (path: string) => Bun.file(join(dist, path)).text()
let files: string[] = []

beforeAll(async () => {
  await buildSite(() => {})
  files = (await readdir(dist, { recursive: true })).sort()
}, 120_000)

const allPages = () => files.filter(path => path.endsWith('.html'))
/** Excludes the notices for removed pages, which appear in no list. */
const pages = () => allPages().filter(path => !path.startsWith('gone/'))
const exists = (path: string) =>
  files.includes(path) || files.includes(`${path}.html`) || path === ''

test('build: recognizes an up-to-date site', async () => {
  expect(await isBuilt()).toBe(true)
})

test('build: every page has a Markdown version with its keys and the same text', async () => {
  for (const page of allPages()) {
    const markdown = await read(page.replace(/html$/, 'md'))
    const [, head = '', text = ''] = markdown.split(/^---$/m)
    const keys = [...head.matchAll(/^([a-z_-]+): /gm)].map(hit => hit[1])
    expect(keys).toEqual(['title', 'description', 'canonical', 'last-updated', 'last_updated'])
    const known = words(text.replace(/\]\([^)]*\)/g, ']'))
    for (const block of blocks(await read(page))) {
      if (!known.includes(words(block)))
        throw new Error(`${page} has text that its Markdown version lacks: ${block}`)
    }
  }
})

/** The texts of a page's main part, one per block, without drawings, forms and navigation. */
function blocks(html: string): string[] {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
  return (
    main
      .replace(/<(svg|nav|menu|summary|script|noscript|form)[\s\S]*?<\/\1>/g, '\n')
      .replace(/<p class="(label|step-number|code-head)"[\s\S]*?<\/p>/g, '\n')
      // Removes tools' progress output and headings' links to themselves.
      .replace(/<a class="anchor"[\s\S]*?<\/a>/g, '')
      .replace(/<section [^>]*role="status"[\s\S]*?<\/section>/g, '\n')
      .replace(/<a class="screen-only"[\s\S]*?<\/a>/g, '\n')
      .replace(/<\/?(a|code|strong|em|span class="(t-[a-z-]+|line[^"]*)")( [^>]*)?>/g, '')
      .replace(/<span class="[^"]*">/g, '')
      .replace(/<\/span>/g, ' ')
      .replace(/<[^>]+>/g, '\n')
      .replace(/&#39;|&#x27;/g, "'")
      .replace(/&(amp|lt|gt|quot);/g, ' ')
      .split('\n')
      .filter(line => line.trim() !== '')
  )
}

function words(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `.replaceAll(' ', '')
}

test('build: no page shows backticks instead of inline code', async () => {
  const hidden = /<(pre|code|script|style|svg|template)\b[\s\S]*?<\/\1>|<[^>]+>/g
  for (const page of pages()) {
    const shown = (await read(page)).replace(hidden, ' ')
    expect([page, /.{0,40}`.{0,40}/.exec(shown)?.[0] ?? '']).toEqual([page, ''])
  }
})

test('build: every internal link leads to a file or to the gateway', async () => {
  const served =
    /^\/(ask(\?|$)|api\/status$|booking\/times$|search$|openapi\/v1\.(json|yaml)$|postman\/[a-z.]+\.json$)/
  for (const page of pages()) {
    for (const [, href = ''] of (await read(page)).matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https:|mailto:|#)/.test(href) || served.test(href)) continue
      const path = href.replace(/[#?].*$/, '').slice(1)
      if (!exists(path)) throw new Error(`${page} links to ${href}, which does not exist`)
    }
  }
})

test('404: links to search, guides, prices and booking, as HTML and Markdown', async () => {
  const [page, markdown] = [await read('404.html'), await read('404.md')]
  for (const path of ['/search', '/docs', '/docs/api', '/pricing', '/booking', '/llms.txt']) {
    expect(page.match(new RegExp(`<main[^]*href="${path}"[^]*</main>`))).not.toBeNull()
    expect(markdown).toContain(`(${config.site}${path})`)
  }
})

test('build: home and prices link to booking', async () => {
  for (const page of ['index', 'pricing']) {
    expect(await read(`${page}.html`)).toMatch(/<main[^]*href="\/booking"[^]*<\/main>/)
  }
  // Two columns fit a phone, so the price is visible without scrolling.
  expect((await read('pricing.html')).match(/<th>/g)).toHaveLength(2)
})

test('llms.txt: has the required head and links Markdown files that exist', async () => {
  const text = await read('llms.txt')
  expect(text).toMatch(/^# .+\n\n> .+\n/)
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(hit => hit[1] ?? '')
  const markdownFiles = links.filter(link => link.endsWith('.md'))
  const reference =
    (await read('docs/llms.txt')).match(/\]\([^)]+\/(docs\/api|problems)[/.]/g) ?? []
  expect(markdownFiles.length + reference.length).toBeGreaterThanOrEqual(pages().length - 1)
  for (const link of links) {
    const path = link.replace(`${config.site}/`, '')
    if (!/^(openapi\/v1\.|api\/status$)/.test(path)) expect(files).toContain(path)
  }
})

test('articles: page, Markdown, feed and catalog agree on the author and on missing reviews', async () => {
  const { articles, people } = await readContent(join(import.meta.dir, '../content'))
  const named = schemas.people.parse(people.data) as Record<string, Person>
  const catalog: { slug: string; author: string; reviewed_by: string | null }[] = JSON.parse(
    await read('catalog/articles.json'),
  )
  expect(articles.length).toBeGreaterThan(10)
  for (const { data, name } of articles) {
    const { author, class: classes, reviewed_by: keys } = article.parse(data)
    const by = named[author ?? '']?.name ?? config.name
    const reviewers = keys.flatMap(key => named[key] ?? [])
    const listed = catalog.find(({ slug }) => slug === name)
    expect(listed?.author).toBe(by)
    expect(listed?.reviewed_by).toBe(reviewers.map(each => each.name).join(', ') || null)
    const isWaiting = awaitedReviewers(classes, reviewers).length > 0
    for (const text of [await read(`blog/${name}.html`), await read(`blog/${name}.md`)]) {
      expect([name, text.includes(`By ${by}`)]).toEqual([name, true])
      expect([name, text.includes('Not reviewed by a ')]).toEqual([name, isWaiting])
    }
  }
  const [about, feed] = [await read('about.md'), await read('feed.xml')]
  const known = [config.name, ...Object.values(named).map(each => each.name)]
  const authors = [...feed.matchAll(/<author>\S+@\S+ \(([^)]+)\)<\/author>/g)]
  expect(authors).toHaveLength(catalog.length)
  for (const [, author = ''] of authors) expect(known).toContain(author)
  const isReviewed = catalog.some(each => each.reviewed_by !== null)
  expect(about.includes('No clinician or lawyer has reviewed this site')).toBe(!isReviewed)
})

test('sitemap.md: has every page once, in sections of links', async () => {
  const [, ...sections] = (await read('sitemap.md')).split(/^## /m)
  const found = sections.flatMap(section => {
    const [, ...lines] = section.trim().split('\n').filter(Boolean)
    return lines.map(line => /^- \[.+\]\((\S+)\.md\)$/.exec(line)?.[1] ?? line)
  })
  const expected = pages()
    .filter(page => page !== '404.html')
    .map(page => `${config.site}/${page.replace(/\.html$/, '')}`)
  expect(found.toSorted()).toEqual(expected.sort())
})

test('sitemap.xml: has every page once with its date, and no Markdown version', async () => {
  const text = await read('sitemap.xml')
  const found = [...text.matchAll(/<loc>([^<]+)<\/loc><lastmod>(\d{4}-\d{2}-\d{2})<\/lastmod>/g)]
  const paths = found.map(hit => (hit[1] ?? '').replace(config.site, ''))
  const expected = pages()
    .filter(page => page !== '404.html')
    .map(page => (page === 'index.html' ? '/' : `/${page.replace(/\.html$/, '')}`))
  expect(paths.sort()).toEqual(expected.sort())
})

test('feed.xml: its build date is the day an article last changed', async () => {
  const articles: { updated: string }[] = JSON.parse(await read('catalog/articles.json'))
  const last = articles
    .map(({ updated }) => updated)
    .sort()
    .at(-1)
  const [, built = ''] = /<lastBuildDate>([^<]+)/.exec(await read('feed.xml')) ?? []
  expect(new Date(built).toISOString().slice(0, 10)).toBe(last ?? '')
})

test('figures: a caption comes first or last', async () => {
  let count = 0
  for (const page of allPages()) {
    for (const [figure] of (await read(page)).matchAll(/<figure[^]*?<\/figure>/g)) {
      count++
      if (!figure.includes('<figcaption')) continue
      const isAtEdge = /^<figure[^>]*>\s*<figcaption|<\/figcaption>\s*<\/figure>$/.test(figure)
      expect([page, isAtEdge]).toEqual([page, true])
    }
  }
  expect(count).toBeGreaterThan(10)
})

test('feed.xml: has the full text, newest first, without drawings', async () => {
  const text = await read('feed.xml')
  const days = [...text.matchAll(/<pubDate>([^<]+)<\/pubDate>/g)].map(hit =>
    Date.parse(hit[1] ?? ''),
  )
  expect(days).toEqual(days.toSorted((a, b) => b - a))
  expect(text.match(/<content:encoded>/g)).toHaveLength(days.length)
  expect(text).not.toContain('<svg')
  expect(text).not.toMatch(/(href|src)="\//)
})

describe('each page', () => {
  test('has one h1, its dates, a canonical URL, and only this site’s scripts', async () => {
    for (const page of pages()) {
      const html = await read(page)
      expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
      const elsewhere = html.match(/<script[^>]* src="(?!\/assets\/)/g) ?? []
      expect([page, elsewhere]).toEqual([page, []])
      expect(html).not.toContain(' style="')
      if (!page.startsWith('blog/')) continue
      expect(html).toContain('"@type":"Article"')
      expect(html).toContain(`<link rel="canonical" href="${config.site}/${page.slice(0, -5)}"`)
      expect(html).toMatch(/<time datetime="\d{4}-\d{2}-\d{2}"/)
    }
  })

  test('loads less than 60 kB of CSS', async () => {
    for (const page of pages()) {
      const links = (await read(page)).matchAll(/<link rel="stylesheet" href="\/([^"]+)"/g)
      const names = [...links].map(([, file = '']) => file)
      // This file must come first, because it declares the order of the layers.
      expect([page, names[0]?.startsWith('assets/Page.')]).toEqual([page, true])
      const sizes = names.map(file => Bun.file(join(dist, file)).size)
      const total = sizes.reduce((sum, size) => sum + size, 0)
      expect([page, sizes.length > 0, total < 60_000]).toEqual([page, true, true])
    }
  })
})

test('build: every compressed file equals its original', async () => {
  const unpack = { br: brotliDecompressSync, gz: gunzipSync }
  for (const [ending, open] of Object.entries(unpack)) {
    const packed = files.filter(path => path.endsWith(`.${ending}`))
    expect(packed.length).toBeGreaterThan(15)
    for (const path of packed) {
      const bytes = await Bun.file(join(dist, path)).bytes()
      expect(open(bytes).toString()).toBe(await read(path.slice(0, -ending.length - 1)))
    }
  }
})

test('build: the published quality matches the served index', async () => {
  const published: Quality = JSON.parse(await read('catalog/quality.json'))
  expect(published.index).toBe(markdownHash(await read('catalog/search.json')))
  expect(published.served.questions).toBeGreaterThan(60)
  expect(published.served.ndcg_at_5).toBeGreaterThanOrEqual(0.95)
  expect(published.served.recall_at_5).toBeGreaterThan(0.95)
})

// Questions worded differently from the page that answers them.
test.each([
  ['how much does it cost per prescription', '/pricing'],
  ['do you handle billing for the clinic', '/docs/billing'],
  ['what happens if my webhook is down', '/docs/webhooks'],
  ['can my chatgpt book a meeting with you', '/booking'],
  ['schedule a demo', '/booking'],
  ['what data do you store about me', '/privacy'],
  ['is there a python sdk', '/developers'],
  ['how do I delete a patient’s data', '/docs/patients-and-consents'],
  ['file upload fails', '/docs/files'],
  ['change appointment', '/docs/visits'],
  ['is it HIPAA compliant', '/blog/what-a-baa-covers'],
  ['which countries is it in', '/about'],
])('%s: %s is among the first three', async (question, page) => {
  // An editor may have removed the page.
  if (!exists(page.slice(1))) return
  const rank = loadRanking(await read('catalog/search.json'))
  expect(rank(termsOf(question), 3).map(({ url }) => url)).toContain(page)
})
