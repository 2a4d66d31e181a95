import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import { pageChecks } from './readiness/pages.ts'
import { openScan } from './readiness/scan.ts'
import { root } from './servers.ts'

const bun = path.join(root, 'node_modules', '.bin', 'bun')

async function run(script: string, ...args: string[]) {
  const child = spawn(bun, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, output: `${out}${error}` }
}

test('readiness: the site passes every agent scanner’s checks', async ({ baseURL }) => {
  const { status, output } = await run('e2e/readiness.ts', '--url', baseURL ?? '')
  expect(output).toContain(' 0 missed')
  expect(status, output).toBe(0)
})

test('readiness: an address without a site fails', async () => {
  const { status, output } = await run('e2e/readiness.ts', '--url', 'http://127.0.0.1:9')
  expect(status, output).toBe(1)
})

/** A site with one page, `/status`, whose text is the value of `moment`, in two forms. */
async function openSite(moment: () => number) {
  const server = createServer((request, response) => {
    const { host, accept = '' } = request.headers
    const path = request.url ?? '/'
    if (path === '/robots.txt') return response.end(`Sitemap: http://${host}/sitemap.xml\n`)
    if (path === '/sitemap.xml') return response.end(`<url><loc>http://${host}/status</loc></url>`)
    const isMarkdown = path.endsWith('.md') || accept.startsWith('text/markdown')
    const text = `${isMarkdown ? '#' : '<h1>'} ${moment()}`
    const headers = { vary: 'Accept', etag: JSON.stringify(text), 'x-markdown-tokens': '9' }
    return response.writeHead(200, headers).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const negotiation = pageChecks.find(({ name }) => name === 'negotiation by Accept')

test('readiness: a page that changed since it was read is read again in both forms', async () => {
  let moment = 1
  const site = await openSite(() => moment)
  const scan = await openScan(site.url)
  await scan.pages()
  moment = 2
  expect(await negotiation?.run(scan)).toBe('1 pages')
  site.close()
})

test('readiness: a page whose two forms never agree fails', async () => {
  let moment = 1
  const site = await openSite(() => moment++)
  const scan = await openScan(site.url)
  await expect(async () => negotiation?.run(scan)).rejects.toThrow('returned the other form')
  site.close()
})
