// W1: an assistant reads the site. The steps that the house has so far, under their numbers.
import { expect, test } from '@playwright/test'
import { article, lost, pathOf } from './servers.ts'

const negotiated = ['/', '/blog']
const twinOf = (path: string) => (path === '/' ? '/index.md' : `${path}.md`)
const markdown = { accept: 'text/markdown' }

const locations = (sitemap: string) =>
  [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(found => pathOf(found[1] ?? ''))

test('3: llms.txt has a title, a summary and sections, and each of its addresses answers', async ({
  request,
}) => {
  const answer = await request.get('/llms.txt')
  const text = await answer.text()
  expect(answer.status()).toBe(200)
  expect(answer.headers()['content-type']).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
  expect(text).toMatch(/^# .+\n\n> .+\n/)
  expect(text).toMatch(/^## /m)
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(found => pathOf(found[1] ?? ''))
  expect(links.length).toBeGreaterThan(4)
  for (const link of links) {
    const there = await request.get(link)
    expect(there.status(), link).toBe(200)
    const type = there.headers()['content-type'] ?? ''
    if (link.endsWith('.md')) expect(type, link).toBe('text/markdown; charset=utf-8')
  }
})

test('6: the home page is markdown to who asks for it', async ({ request }) => {
  const answer = await request.get('/', { headers: markdown })
  const { 'content-type': type, vary } = answer.headers()
  expect([answer.status(), type]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(vary?.toLowerCase().split(/, */)).toContain('accept')
  expect(await answer.text()).toMatch(
    /^---\ntitle: ".+"\ndescription: ".+"\ncanonical: ".+"\nlast-updated: "\d{4}-\d\d-\d\d"\n---\n\n# /,
  )
})

test('7: a twin is what negotiation gives, byte for byte, and the page names it', async ({
  request,
  baseURL,
}) => {
  const listed = locations(await (await request.get('/sitemap.xml')).text())
  expect(listed).toEqual(expect.arrayContaining([...negotiated, article]))
  // For hundreds of pages without Playwright's own way to ask, which writes each answer down.
  const ask = (path: string, headers = {}) => fetch(`${baseURL}${path}`, { headers })
  for (const path of listed) {
    const [twin, asked, page] = await Promise.all([
      ask(twinOf(path)),
      ask(path, markdown),
      ask(path, { accept: 'text/html' }),
    ])
    expect(twin.status, path).toBe(200)
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const [one, other] = await Promise.all([twin.arrayBuffer(), asked.arrayBuffer()])
    expect(Buffer.from(one).equals(Buffer.from(other)), path).toBe(true)
    await page.body?.cancel()
    expect(page.headers.get('link')).toContain(
      `<${twinOf(path)}>; rel="alternate"; type="text/markdown"`,
    )
  }
})

test('8 and 9: markdown goes to nobody who wants HTML more, or markdown not at all', async ({
  request,
}) => {
  const wishes = [
    'text/html, text/markdown;q=0.5',
    'text/markdown;q=0, */*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ]
  for (const accept of wishes) {
    const answer = await request.get('/', { headers: { accept } })
    expect(answer.headers()['content-type'], accept).toBe('text/html; charset=utf-8')
  }
})

test('10: the sitemap holds each page once, with its own date, and no twin', async ({
  request,
  baseURL,
}) => {
  const answer = await request.get('/sitemap.xml')
  const text = await answer.text()
  const paths = locations(text)
  const dates = [...text.matchAll(/<lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)].map(found => found[1])
  expect(answer.headers()['content-type']).toMatch(/xml/)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter(path => path.endsWith('.md'))).toEqual([])
  expect(dates).toHaveLength(paths.length)
  for (const [at, path] of paths.entries()) {
    const twin = await (await fetch(`${baseURL}${twinOf(path)}`)).text()
    expect(twin, path).toContain(`last-updated: "${dates[at]}"`)
  }
})

test('11: the feed is RSS, newest first, with the whole text of each article', async ({
  request,
}) => {
  const answer = await request.get('/feed.xml')
  const text = await answer.text()
  expect(answer.headers()['content-type']).toBe('application/rss+xml; charset=utf-8')
  expect(text).toContain('<rss version="2.0"')
  const dates = [...text.matchAll(/<pubDate>([^<]+)<\/pubDate>/g)].map(found =>
    Date.parse(found[1] ?? ''),
  )
  expect(dates.length).toBeGreaterThan(1)
  expect(dates).toEqual(dates.toSorted((one, other) => other - one))
  const marks = [...text.matchAll(/<guid[^>]*>([^<]+)<\/guid>/g)].map(found => found[1] ?? '')
  expect(new Set(marks).size).toBe(dates.length)
  expect(text.match(/<content:encoded>/g)).toHaveLength(dates.length)
  expect(await (await request.get('/feed.xml')).text(), 'stable').toBe(text)
})

test('12: what is not there says so, in the form that was asked for', async ({ request }) => {
  for (const path of ['/blog/no-such-article', lost]) {
    const any = await request.get(path, { headers: { accept: '*/*' } })
    expect([any.status(), any.headers()['content-type']]).toEqual([
      404,
      'text/markdown; charset=utf-8',
    ])
    expect(await any.text()).toMatch(/\]\(https:\/\/[^)]+\/llms\.txt\)/)
    const page = await request.get(path, { headers: { accept: 'text/html' } })
    expect([page.status(), page.headers()['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
  }
})

test('13: a form that has not changed is not sent again', async ({ request }) => {
  for (const path of [...negotiated, article, '/llms.txt', '/feed.xml']) {
    for (const accept of ['text/html', 'text/markdown']) {
      const { etag } = (await request.get(path, { headers: { accept } })).headers()
      expect(etag, path).toMatch(/^(W\/)?"[^"]+"$/)
      const again = await request.get(path, {
        headers: { accept, 'if-none-match': etag ?? '' },
      })
      expect(again.status(), path).toBe(304)
      expect(await again.body()).toHaveLength(0)
    }
  }
})

test('14: an article is complete in its HTML: one h1, dates, author, and data about itself', async ({
  request,
}) => {
  const answer = await request.get(article, { headers: { accept: 'text/html' } })
  const html = await answer.text()
  expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
  const written = /<script type="application\/ld\+json">(.+?)<\/script>/s.exec(html)?.[1] ?? ''
  const data: unknown = JSON.parse(written)
  expect(data).toMatchObject({ '@type': 'Article', author: { '@type': 'Person' } })
  const { author, datePublished, headline } = Object(data)
  expect(html).toContain(`datetime="${datePublished}"`)
  expect(html).toContain(author.name)
  expect(html).toContain(`<title>${headline}`)
  expect(answer.headers()['content-security-policy']).not.toContain('unsafe')
})

test('15: a file says its version and its quota, but no count that a cache would keep', async ({
  request,
}) => {
  for (const path of ['/', article, '/llms.txt', '/index.md', '/sitemap.xml', '/feed.xml']) {
    const headers = (await request.get(path)).headers()
    expect(headers['api-version'], path).toBe('2026-08-23')
    expect(headers['ratelimit-policy'], path).toBeDefined()
    expect(headers['ratelimit'], path).toBeUndefined()
    expect(headers['cache-control'], path).toMatch(/s-maxage=3600, stale-while-revalidate=\d+/)
  }
})
