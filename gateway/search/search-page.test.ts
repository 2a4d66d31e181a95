import { expect, test } from 'bun:test'
import { searchEndpoint } from './search-page.ts'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'

const build = sampleBuild(writeSampleSite())
const route = sampleContent({ build: () => build, more: [searchEndpoint(() => build)] })
const search = (query: string, init?: RequestInit) =>
  route(new Request(`http://localhost/search${query}`, init))

test('search page: lists /ask results by kind of page, and is not indexed', async () => {
  const answer = await search('?q=how+do+webhooks+work')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const html = await answer.text()
  const links = [...html.matchAll(/<li><a href="([^"]+)"/g)].map(hit => hit[1])
  expect(links).toEqual(['/blog/webhooks', '/blog/polling'])
  expect([...html.matchAll(/<h2>([^<]+)<\/h2>/g)].map(hit => hit[1])).toEqual(['Articles'])
  expect(html).toContain('<title>how do webhooks work · Search')
  expect(html).toContain('value="how do webhooks work"')
  expect(html).toContain('GET /ask?query=how+do+webhooks+work')
})

test('search page: a bookmark with /ask’s parameter finds the same pages', async () => {
  const [one, other] = await Promise.all([search('?q=webhooks'), search('?query=webhooks')])
  expect(await one.text()).toBe(await other.text())
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const ask = (accept: string | null, method = 'GET') =>
  route(
    new Request('http://localhost/ask?query=webhooks', {
      method,
      headers: accept === null ? {} : { accept },
    }),
  )

test('/ask in a browser is the search page, with the same results as /search', async () => {
  const answer = await ask(browser)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  expect(await answer.text()).toBe(await (await search('?q=webhooks')).text())
})

test.each([
  [null, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/html, application/json', 'application/json'],
  ['text/html;q=0.5, application/json', 'application/json'],
  ['text/event-stream', 'text/event-stream; charset=utf-8'],
  ['text/html, application/json;q=0.9', 'text/html; charset=utf-8'],
])('/ask: Accept %p gets %s, cached separately', async (accept, type) => {
  const { headers } = await ask(accept)
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([type, 'Accept'])
})

test('/ask: POST is for programs, regardless of Accept', async () => {
  expect((await ask(browser, 'POST')).headers.get('content-type')).toBe('application/json')
})

test('search page: explains itself without a query, and links to the docs if nothing matches', async () => {
  for (const query of ['', '?q=', '?q=+', '?words=webhooks'])
    expect(await (await search(query)).text()).toContain('every page of this site')
  const html = await (await search('?q=zzzzqqqq')).text()
  expect(html).toContain('No results.')
  expect(html).toContain('href="/booking"')
  expect(html).toContain('href="/docs"')
})

test('search page: escapes the query and truncates it at 500 characters', async () => {
  const html = await (await search('?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')).text()
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;')
  const long = await (await search(`?query=${'w'.repeat(2000)}`)).text()
  expect(/value="(w+)"/.exec(long)?.[1]).toHaveLength(500)
  expect((await search('?query=%ff%00%zz')).status).toBe(200)
})

test('search page: highlights matching words', async () => {
  expect(await (await search('?q=webhook')).text()).toMatch(/<mark>webhooks<\/mark>/i)
})

test('search page: for an emergency, the number to call comes first', async () => {
  const html = await (await search('?q=her+chest+hurts')).text()
  expect(html.indexOf('call 911')).toBeGreaterThan(0)
  expect(html.indexOf('call 911')).toBeLessThan(html.indexOf('<form class="search-form"'))
})

test('search page: 405 for POST', async () => {
  const answer = await search('', { method: 'POST', body: 'query=x' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
