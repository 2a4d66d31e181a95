import { afterAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sampleContent, sampleBuild } from '../testing/content.ts'
import { sampleFiles, writeSampleSite } from '../testing/site.ts'
import { statusEndpoints } from './endpoints.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const part = { name: 'email', title: 'Email', status: 'warn', output: 'Late.', days: [] } as const
const report = { status: 'warn', checked_at: '2027-03-08T12:20:00.000Z', parts: [part] } as const
const proof = path.join(folder, 'proof.zip')
const more = statusEndpoints({ site: () => build.site, report: async () => report, proof })
const ask = sampleContent({ build: () => build, more })

const request = (path: string, headers: Record<string, string>) =>
  new Request(`http://localhost${path}`, { headers })
const get = (path: string, accept: string) =>
  ask(request(path, { accept, 'accept-encoding': 'br' }))

test('status page: shows the status, and its Markdown version is as built', async () => {
  const html = await (await get('/status', 'text/html')).text()
  expect(html).toContain('Some systems are degraded.')
  expect(html).toContain('Checked March 8, 2027, 12:20 UTC.')
  expect(html).not.toContain('As built.')
  expect(html).toContain('<h2>More</h2>')
  const markdown = await ask(request('/status', { accept: 'text/markdown' }))
  expect(await markdown.text()).toBe(sampleFiles['status.md'] ?? '')
})

test('status page: keeps the built page’s headers, with its own entity tag', async () => {
  const { headers } = await get('/status', 'text/html')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('vary')).toContain('Accept')
  expect(headers.get('cache-control')).toBe('public, max-age=15')
  expect([headers.has('last-modified'), headers.has('content-encoding')]).toEqual([false, false])
  const etag = headers.get('etag') ?? ''
  const again = (tag: string) =>
    ask(request('/status', { accept: 'text/html', 'if-none-match': tag }))
  expect([(await again(etag)).status, (await again('"other"')).status]).toEqual([304, 200])
})

test('/api/status: returns the same status as JSON', async () => {
  const answer = await get('/api/status', '*/*')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toEqual(report)
})

test('proof: is linked and served once it exists, and 404 before that', async () => {
  const page = async () => (await get('/status', 'text/html')).text()
  expect(await page()).not.toContain('proof')
  expect((await get('/proof.zip', '*/*')).status).toBe(404)
  writeFileSync(proof, 'PK')
  expect(await page()).toContain('<a href="/proof.zip" download>')
  const served = await get('/proof.zip', '*/*')
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(await served.text()).toBe('PK')
})
