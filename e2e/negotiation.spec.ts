// How an assistant reads the site: llms.txt, Markdown by content negotiation, sitemap, feed and
// caching. Tests a few pages; readiness.spec.ts compares both forms of every page and follows the
// links.
import { expect, test } from '@playwright/test'
import { article, missingPage, pathOf } from './servers.ts'

const negotiated = ['/', '/blog']
const markdownPathOf = (path: string) => (path === '/' ? '/index.md' : `${path}.md`)
const markdown = { accept: 'text/markdown' }

const locations = (sitemap: string) =>
  [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(found => pathOf(found[1] ?? ''))

test('llms.txt: has a title, a summary and sections', async ({ request }) => {
  const answer = await request.get('/llms.txt')
  const text = await answer.text()
  expect(answer.status()).toBe(200)
  expect(answer.headers()['content-type']).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
  expect(text).toMatch(/^# .+\n\n> .+\n/)
  expect(text).toMatch(/^## /m)
})

test('negotiation: the home page is Markdown for a client that requests it', async ({
  request,
}) => {
  const answer = await request.get('/', { headers: markdown })
  const { 'content-type': type, vary } = answer.headers()
  expect([answer.status(), type]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(vary?.toLowerCase().split(/, */)).toContain('accept')
  expect(await answer.text()).toMatch(
    /^---\ntitle: ".+"\ndescription: ".+"\ncanonical: ".+"\nlast-updated: "(\d{4}-\d\d-\d\d)"\nlast_updated: "\1"\n---\n\n# /,
  )
})

test('negotiation: a .md address has the same bytes as Accept, and the page links to it', async ({
  request,
}) => {
  const listed = locations(await (await request.get('/sitemap.xml')).text())
  expect(listed).toEqual(expect.arrayContaining([...negotiated, article]))
  for (const path of [...negotiated, article]) {
    const [file, negotiated, page] = await Promise.all([
      request.get(markdownPathOf(path)),
      request.get(path, { headers: markdown }),
      request.get(path, { headers: { accept: 'text/html' } }),
    ])
    expect(file.status(), path).toBe(200)
    expect(file.headers()['content-type']).toBe('text/markdown; charset=utf-8')
    const [one, other] = await Promise.all([file.body(), negotiated.body()])
    expect(one.equals(other), path).toBe(true)
    expect(page.headers()['link']).toContain(
      `<${markdownPathOf(path)}>; rel="alternate"; type="text/markdown"`,
    )
  }
})

test('negotiation: a client that prefers HTML, or refuses Markdown, gets HTML', async ({
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

test('sitemap: lists each page once, with its own date, and no Markdown version', async ({
  request,
}) => {
  const answer = await request.get('/sitemap.xml')
  const text = await answer.text()
  const paths = locations(text)
  const dates = [...text.matchAll(/<lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)].map(found => found[1])
  expect(answer.headers()['content-type']).toMatch(/xml/)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter(path => path.endsWith('.md'))).toEqual([])
  expect(dates).toHaveLength(paths.length)
  for (const path of [...negotiated, article]) {
    const markdown = await (await request.get(markdownPathOf(path))).text()
    expect(markdown, path).toContain(`last-updated: "${dates[paths.indexOf(path)]}"`)
  }
})

test('feed: is RSS, newest first, with the full text of each article', async ({ request }) => {
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

test('404: a missing page is reported in the requested form', async ({ request }) => {
  for (const path of ['/blog/no-such-article', missingPage]) {
    const any = await request.get(path, { headers: { accept: '*/*' } })
    expect([any.status(), any.headers()['content-type']]).toEqual([
      404,
      'text/markdown; charset=utf-8',
    ])
    expect(await any.text()).toMatch(/\]\(https?:\/\/[^)]+\/llms\.txt\)/)
    const page = await request.get(path, { headers: { accept: 'text/html' } })
    expect([page.status(), page.headers()['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
  }
})

test('caching: an unchanged representation is not sent again', async ({ request }) => {
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

test('articles: HTML has one h1, dates, its author and structured data', async ({ request }) => {
  const answer = await request.get(article, { headers: { accept: 'text/html' } })
  const html = await answer.text()
  expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
  const written = /<script type="application\/ld\+json">(.+?)<\/script>/s.exec(html)?.[1] ?? ''
  const data: unknown = JSON.parse(written)
  expect(data).toMatchObject({ '@type': 'Article', author: { '@type': 'Organization' } })
  const { author, datePublished, headline } = Object(data)
  expect(html).toContain(`datetime="${datePublished}"`)
  expect(html).toContain(author.name)
  expect(html).toContain(`<title>${headline}`)
  expect(answer.headers()['content-security-policy']).not.toContain('unsafe')
})

test('files: have a version and a rate limit policy, but no counts that a cache would keep', async ({
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
