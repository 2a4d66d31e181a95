// The frame of every page in the build: skip link, head, navigation and headings.
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { termsOf, typedWord } from '#content/ranking/question.ts'
import { loadRanking, type Ranking } from '#content/ranking/rank.ts'
import { buildSite } from './build/build.ts'
import type { Quality } from './src/machine/evaluate.ts'
import { editLink } from './src/reading/edit-link.ts'
import { linkHeadings, withoutHeadingLinks } from './src/render/heading-links.ts'

const dist = join(import.meta.dir, 'dist')
const read = (path: string) => Bun.file(join(dist, path)).text()
/** Excludes removed pages' notices. */
const isPage = (path: string) => path.endsWith('.html') && !path.startsWith('gone/')

const pages: [page: string, html: string][] = []
let rank: Ranking

beforeAll(async () => {
  await buildSite(() => {})
  const files = (await readdir(dist, { recursive: true })).filter(isPage)
  for (const file of files.sort()) pages.push([`/${file.slice(0, -5)}`, await read(file)])
  expect(pages.length).toBeGreaterThan(200)
  rank = loadRanking(await read('catalog/search.json'))
}, 120_000)

const ofDocs = () => pages.filter(([page]) => /^\/(docs|problems)(\/|$)/.test(page))

describe('the text comes first', () => {
  test('the skip link leads to an element that begins with the heading', () => {
    for (const [page, html] of pages) {
      const [, target = ''] = /<a class="skip" href="#([^"]+)"/.exec(html) ?? []
      const from = html.indexOf(` id="${target}"`)
      const heading = html.indexOf('<h1', from)
      expect([page, from > 0, heading > from]).toEqual([page, true, true])
      expect([page, /<(a|button|nav)\b/.test(html.slice(from, heading))]).toEqual([page, false])
    }
  })

  test('few links and less than half of the HTML come before the heading', () => {
    for (const [page, html] of pages) {
      const before = html.slice(0, html.indexOf('<h1'))
      const links = before.slice(before.indexOf('<body')).match(/<a /g) ?? []
      // The 404 page has fewer words than other pages but the same head.
      const isShort = before.length < html.length / 2 || page === '/404'
      expect([page, links.length < 13, isShort]).toEqual([page, true, true])
    }
  })
})

/** Docs pages that aren't read one after another. */
const alone = new Set(['/docs', '/docs/api/try'])

describe('docs navigation', () => {
  test('every page has breadcrumbs, a sidebar with its entry, and neighbors', () => {
    expect(ofDocs().length).toBeGreaterThan(180)
    for (const [page, html] of ofDocs()) {
      expect([page, html.includes('aria-label="Breadcrumbs"')]).toEqual([page, true])
      if (alone.has(page)) continue
      const current = html.match(/href="[^"]+" aria-current="page"/g) ?? []
      expect([page, current.some(link => link.includes(`"${page}"`))]).toEqual([page, true])
      expect([page, /rel="(prev|next)"/.test(html)]).toEqual([page, true])
    }
  })

  test('the pages form one chain: each next page names this one as its previous', () => {
    const linkOf = (html: string, rel: string) =>
      new RegExp(`rel="${rel}"[^>]* href="([^"]+)"`).exec(html)?.[1]
    const byPath = new Map(ofDocs())
    let length = 1
    for (let page = '/docs/quickstart'; length < byPath.size; length++) {
      const next = linkOf(byPath.get(page) ?? '', 'next')
      if (next === undefined) break
      expect([next, linkOf(byPath.get(next) ?? '', 'prev')]).toEqual([next, page])
      page = next
    }
    // Includes every page except the list of guides and the page that sends requests.
    expect(length).toBe(byPath.size - alone.size)
  })

  test('guide labels are short, and each is in the sidebar', async () => {
    const html = await read('docs/quickstart.html')
    const sidebar = /<nav id="sidebar"[^]*?<\/nav>/.exec(html)?.[0] ?? ''
    const labels = [...sidebar.matchAll(/<a href="\/docs\/[^"]+"[^>]*>\s*<span>([^<]+)<\/span>/g)]
    expect(labels.length).toBeGreaterThan(18)
    for (const [, label = ''] of labels) expect([label, label.length < 25]).toEqual([label, true])
  })
})

test('headings: each has a link to itself, unless it is a link already', () => {
  const html = '<h2 id="a-b">A <code>b</code></h2><h3 id="c"><a href="/c">C</a></h3>'
  const linked = linkHeadings(html)
  expect(linked).toContain('<a class="anchor" href="#a-b" aria-label="Link to “A b”">#</a></h2>')
  expect(linked).toContain('<h3 id="c"><a href="/c">C</a></h3>')
  expect(withoutHeadingLinks(linked)).toBe(html)
})

test('edit this page: leads to the file in the repository, and is absent without one', async () => {
  const file = 'content/docs/webhooks.md'
  expect(editLink(null, file)).toBeNull()
  const base = 'https://git.example.com/platform/edit/main'
  expect(editLink(`${base}/`, file)).toBe(`${base}/${file}`)
  expect(await read('docs/webhooks.html')).not.toContain('Edit this page')
})

/** The page that a name must find first, however it's typed. */
const topics: [query: string, page: string][] = [
  ['webhooks', '/docs/webhooks'],
  ['webhook', '/docs/webhooks'],
  ['authentication', '/docs/authentication'],
  ['API keys', '/docs/authentication'],
  ['idempotency', '/docs/idempotency-and-retries'],
  ['retries', '/docs/idempotency-and-retries'],
  ['pagination', '/docs/limits-and-versions'],
  ['rate limits', '/docs/limits-and-versions'],
  ['versions', '/docs/limits-and-versions'],
  ['errors', '/docs/errors'],
  ['files', '/docs/files'],
  ['visits', '/docs/visits'],
  ['video visits', '/docs/visits'],
  ['sandbox', '/docs/sandbox'],
  ['realtime', '/docs/realtime'],
  ['billing', '/docs/billing'],
  ['quickstart', '/docs/quickstart'],
  ['cases', '/docs/cases'],
  ['patients', '/docs/patients-and-consents'],
  ['consents', '/docs/patients-and-consents'],
  ['prescriptions', '/docs/prescriptions-and-orders'],
  ['orders', '/docs/prescriptions-and-orders'],
  ['messages', '/docs/messages-and-questions'],
  ['exports', '/docs/exports'],
  ['events', '/docs/events'],
  ['concepts', '/docs/concepts'],
  ['consult loop', '/docs/the-loop'],
  ['createCase', '/docs/api/create-case'],
  ['case.approved.v1', '/docs/api/events/case-approved-v1'],
  ['consent_required', '/problems/consent_required'],
]

test.each(topics)('search: %s finds %s first', (query, page) => {
  expect(rank(termsOf(query), 1).map(({ url }) => url)).toEqual([page])
})

test.each([
  ['webh', '/docs/webhooks'],
  ['authentica', '/docs/authentication'],
  ['idempotenc', '/docs/idempotency-and-retries'],
  ['pagi', '/docs/limits-and-versions'],
  ['createPat', '/docs/api/create-patient'],
  ['case.app', '/docs/api/events/case-approved-v1'],
  ['consent_r', '/problems/consent_required'],
  ['how do webhooks work', '/docs/webhooks'],
  ['how do I upload a file with the', '/docs/files'],
])('search: %s, not finished, finds %s first', (query, page) => {
  expect(rank(termsOf(query), 1, typedWord(query)).map(({ url }) => url)).toEqual([page])
})

test('search: a question with a fully typed last word finds the same pages as when finished', async () => {
  const { judged }: Quality = JSON.parse(await read('catalog/quality.json'))
  const questions = judged.map(({ question }) => question.replace(/\?$/, ''))
  expect(questions.length).toBeGreaterThan(200)
  const same = questions.filter(question => {
    const terms = termsOf(question)
    return rank(terms, 1)[0]?.url === rank(terms, 1, typedWord(question))[0]?.url
  })
  // For some questions, two pages score nearly the same, and any edit may change their order.
  expect(same.length / questions.length).toBeGreaterThan(0.97)
})
