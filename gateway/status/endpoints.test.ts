import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { sampleContent, sampleBuild } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'
import { statusEndpoints } from './endpoints.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const part = { name: 'email', title: 'Email', status: 'warn', output: 'Late.', days: [] } as const
const report = { status: 'warn', checked_at: '2027-03-08T12:20:00.000Z', parts: [part] } as const
const more = statusEndpoints({ site: () => build.site, report: async () => report })
const ask = sampleContent({ build: () => build, more })

const get = (path: string, accept: string) =>
  ask(new Request(`http://localhost${path}`, { headers: { accept, 'accept-encoding': 'br' } }))

test('status page: has the state in it as HTML and as Markdown', async () => {
  const page = await get('/status', 'text/html')
  const html = await page.text()
  expect(html).toContain('A part is degraded.')
  expect(html).not.toContain('As built.')
  expect(html).toContain('<h2>More</h2>')
  for (const [path, accept] of [
    ['/status', 'text/markdown'],
    ['/status.md', '*/*'],
  ] as const) {
    const answer = await get(path, accept)
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const text = await answer.text()
    expect(text).toContain(
      '## Now\n\n**A part is degraded.** Checked on 8 March 2027 at 12:20 UTC.',
    )
    expect(text).toContain('\n\n## More\n\nText.')
    expect(text).not.toContain('As built.')
  }
})

test('status page: keeps the headers of the built page, and is not kept for long', async () => {
  const { headers } = await get('/status', 'text/html')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('vary')).toContain('Accept')
  expect(headers.get('cache-control')).toBe('public, max-age=15')
  expect([headers.has('etag'), headers.has('content-encoding')]).toEqual([false, false])
})

test('/api/status: is the same as JSON', async () => {
  const answer = await get('/api/status', '*/*')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toEqual(report)
})
