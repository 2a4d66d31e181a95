import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'
import { nearestPages } from './nearest.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
const ask = sampleContent({ build: () => build })
afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, accept: string, coding = 'identity') =>
  ask(new Request(`http://localhost${path}`, { headers: { accept, 'accept-encoding': coding } }))

test('nearest pages: a similarly spelled page comes first, and at most three are listed', () => {
  expect(nearestPages('/princing', build)[0]).toEqual({ url: '/pricing', title: 'Pricing' })
  expect(nearestPages('/first-vist.html', build)[0]?.url).toBe('/blog/first-visit')
  expect(nearestPages('/help/webhooks', build).length).toBeGreaterThan(0)
  expect(nearestPages('/help/webhooks', build).length).toBeLessThanOrEqual(3)
})

test('nearest pages: none for a very long path or one unlike any page', () => {
  expect(nearestPages('/qqqqqqqq', build)).toEqual([])
  expect(nearestPages(`/pricing/${'pricing-'.repeat(20)}`, build)).toEqual([])
})

test('404: lists the nearest pages as HTML, Markdown and JSON', async () => {
  const page = await get('/princing', 'text/html', 'br')
  expect([page.status, page.headers.get('content-encoding')]).toEqual([404, null])
  const html = await page.text()
  expect(html).toContain('<a href="/pricing">')
  expect(html).not.toContain('hidden')
  const markdown = await (await get('/princing', 'text/markdown')).text()
  expect(markdown).toContain('## Nearest pages\n\n- [Pricing](/pricing)\n')
  const problem = await get('/princing', 'application/json')
  expect(problem.headers.get('content-type')).toBe('application/problem+json')
  expect(await problem.json()).toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('nearest'),
    nearest: [{ title: 'Pricing', url: '/pricing' }],
  })
})

test('404: is the built page if no page is similar', async () => {
  const page = await get('/qqqqqqqq', 'text/html')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await (await get('/qqqqqqqq', 'text/markdown')).text()).not.toContain('Nearest')
})

test('404: text from the URL is escaped', async () => {
  const html = await (await get('/pricin%3Cscript%3Eg', 'text/html')).text()
  expect(html).not.toContain('<script>')
})
