import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crawl } from './crawl.ts'
import { mentionsIn } from './mentions.ts'
import { placesInContent } from './content-places.ts'

const site = 'https://site.example'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function write(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'crawl-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

/** A server for exactly these addresses. */
function serve(answers: Record<string, () => Response>): string {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname, search } = new URL(url)
      return answers[pathname + search]?.() ?? new Response('none', { status: 404 })
    },
  })
  closers.push(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

const html = (text: string) => () =>
  new Response(text, { headers: { 'content-type': 'text/html' } })

const samples: [string, string, [string, number][]][] = [
  [
    'a.html',
    '<a href="/x?a=1&amp;b=2">x</a>\n<img src="i.png" srcset="i.png 1x, j.png 2x">',
    [
      ['/x?a=1&b=2', 1],
      ['i.png', 2],
      ['j.png', 2],
    ],
  ],
  [
    'a.html',
    '<pre><a href="/sample">x</a>\n</pre><link rel="canonical" href="/real">',
    [['/real', 2]],
  ],
  [
    'a.html',
    '<meta property="og:image" content="https://a.example/i.png"><meta content="/no">',
    [['https://a.example/i.png', 1]],
  ],
  [
    'a.html',
    '\n<script type="application/ld+json">{"@id":"https://a.example/#x","url":"/y"}</script>',
    [['/y', 2]],
  ],
  [
    'a.md',
    'See [x](/x#y), <https://a.example/b>, https://a.example/c.\n[r]: /r',
    [
      ['/x#y', 1],
      ['https://a.example/b', 1],
      ['https://a.example/c', 1],
      ['/r', 2],
    ],
  ],
  [
    'a.md',
    '```sh\ncurl https://a.example/no\n```\n`[x](/no)` and ``a ` [x](/no)`` [y](/y)',
    [['/y', 4]],
  ],
  ['llms.txt', '- [A](https://a.example/a.md): words', [['https://a.example/a.md', 1]]],
  [
    'robots.txt',
    'User-agent: *\nSitemap: https://a.example/sitemap.xml',
    [['https://a.example/sitemap.xml', 2]],
  ],
  ['sitemap.xml', '<urlset>\n<loc>https://a.example/b</loc>', [['https://a.example/b', 2]]],
  [
    'feed.xml',
    '<content>&lt;p&gt;&lt;a href="https://a.example/q?a=1&amp;amp;b=2"&gt;\n&lt;pre&gt;x\n<a href="/no">&lt;/pre&gt;',
    [['https://a.example/q?a=1&b=2', 1]],
  ],
  [
    'a.json',
    '{"text": "see https://a.example/no",\n"href": "/b", "at": "https://a.example/c"}',
    [
      ['/b', 2],
      ['https://a.example/c', 2],
    ],
  ],
  ['acp.json', '{"api_base_url": "https://a.example/api"}', []],
  ['.well-known/api-catalog', '{"anchor": "https://a.example/v1"}', [['https://a.example/v1', 1]]],
  ['a.css', 'a{b:url("/f.woff2")}', [['/f.woff2', 1]]],
  ['a.woff2', 'href="/x"', []],
]
for (const [name, text, expected] of samples) {
  test(`mentions: ${name} links to ${expected.map(([href]) => href).join(' ') || 'nothing'}`, () => {
    const found = mentionsIn(name, text).map(({ href, line }): [string, number] => [href, line])
    const byPlace = (a: [string, number], b: [string, number]) =>
      a[1] - b[1] || a[0].localeCompare(b[0])
    expect(found.sort(byPlace)).toEqual(expected.toSorted(byPlace))
  })
}

test('crawl: requests every address once, and reports each fault with its files and lines', async () => {
  const folder = write({
    'index.html': `<a href="/blog/a#there">a</a>\n<a href="/blog/a#gone">a</a><a href="${site}/moved">m</a>`,
    'blog/a.html': '<h2 id="there">There</h2>\n<a href="#there">up</a><a href="../lost">l</a>',
    'blog/a.md': '## There\n\n[up](#there) [down](#nowhere) [lost](/lost)\n',
    'llms.txt': `[a](${site}/blog/a.md#there) [search](${site}/ask?query={words}) ${site}/blog/{slug}`,
    'about.txt': 'https://elsewhere.example/x mailto:a@b.example [x](javascript:alert)',
    'api.json': `{"href": "/v1/cases", "url": "${site}/health"}`,
  })
  const refusal = { 'content-type': 'application/problem+json' }
  const url = serve({
    '/blog/a': html('<h2 id="there">There</h2>'),
    '/blog/a.md': () => new Response('## There'),
    '/moved': () => new Response(null, { status: 308, headers: { location: '/blog/a' } }),
    '/ask?query=consult': () => Response.json({}),
    '/v1/cases': () => new Response('{}', { status: 401, headers: refusal }),
    '/health': () => new Response('{}', { status: 500, headers: refusal }),
  })
  const { requested, external, faults } = await crawl(folder, { url, site })
  expect(requested).toBe(7)
  expect(external).toBe(1)
  const reported = faults.map(
    ({ address, reason, places }) => `${address} ${reason} ${places.join(' ')}`,
  )
  expect(reported.sort()).toEqual([
    "/blog/a#gone isn't an anchor on that page index.html:2",
    "/blog/a#nowhere isn't an anchor on that page blog/a.md:3",
    '/health returns 500 api.json:1',
    '/lost returns 404 blog/a.html:2 blog/a.md:3',
    '/moved returns 308; link to /blog/a index.html:2',
    'javascript:alert is not a valid address about.txt:1',
  ])
})

test('crawl: only the page itself may link to an address that was taken down', async () => {
  const folder = write({
    'gone/blog/old.html': `<meta content="${site}/blog/old"><a href="#main">s</a><a href="/lost">l</a>`,
    'gone/blog/old.md': `---\ncanonical: "${site}/blog/old"\n---\n`,
    'blog.html': '<a href="/blog/old">old</a>',
  })
  const url = serve({ '/blog/old': () => new Response('', { status: 410 }) })
  const { faults } = await crawl(folder, { url, site })
  expect(faults.map(({ address, places }) => [address, ...places]).sort()).toEqual([
    ['/blog/old', 'blog.html:1'],
    ['/lost', 'gone/blog/old.html:1'],
  ])
})

test('content places: finds an address, but not inside a longer one', async () => {
  const root = write({
    'content/articles/a.md': `[one](/docs/one)\n[more](/docs/one-more) /docs/one#x\n${site}/docs/one.\n`,
    'content/home.yaml': 'href: /docs/one\n',
    'content/note.txt': '/docs/one',
  })
  expect(await placesInContent(root, site, '/docs/one')).toEqual([
    'content/articles/a.md:1',
    'content/articles/a.md:3',
    'content/home.yaml:1',
  ])
})
