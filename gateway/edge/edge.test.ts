import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { caddyfile } from './caddy.ts'
import { headersFile } from '../commands/edge.ts'
import { nginxConfig } from './nginx.ts'
import { dynamicPaths } from '../static/dynamic.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { caddy, nginx, untilItAnswers } from '../testing/web-servers.ts'
import { sendsParts } from '../testing/file-parts.ts'
import { openOtherModule, openStubGateway } from '../testing/stub-gateway.ts'
import { siteTable } from './header-table.ts'
import { worker } from './cdn-worker.ts'
import { loadSite } from '../static/static.ts'

/**
 * The real site behind nginx, Caddy and a CDN worker, without a running gateway: every path must
 * get the gateway's response. Tests are skipped if nginx or Caddy isn't installed, except in CI.
 */
const root = join(import.meta.dir, '..', '..')
const place = mkdtempSync(join(tmpdir(), 'edge-'))
/** The real build with one moved and one deleted page added. */
const folder = join(place, 'www')
const mustHaveThem = Bun.env['CI'] === 'true'
const running: Bun.Subprocess[] = []
const gateway = openStubGateway()
let origin = ''
let caddyOrigin = ''
const auth = openOtherModule()
const others = [{ host: 'auth.example.com', module: 'auth' as const, gateways: [auth.host] }]

beforeAll(async () => {
  const build = Bun.spawn([process.execPath, '--bun', 'site/build/build.ts'], {
    cwd: root,
    stdout: 'ignore',
  })
  expect(await build.exited).toBe(0)
  cpSync(join(root, 'site', 'dist'), folder, { recursive: true })
  mkdirSync(join(folder, 'gone', 'blog'), { recursive: true })
  await Bun.write(join(folder, 'gone/blog/old-law.html'), '<h1>Taken down</h1>')
  await Bun.write(join(folder, 'gone/blog/old-law.md'), '# Taken down\n')
  await Bun.write(join(folder, 'gone/blog/old-law.json'), '{"status":410}\n')
  await Bun.write(join(folder, '_redirects'), '/blog/old-name /blog 301\n')
  // nginx workers run as another user, which must be able to read the folder.
  chmodSync(place, 0o755)
  if (nginx !== undefined) origin = await startNginx(nginx)
  if (caddy !== undefined) caddyOrigin = await startCaddy(caddy)
  expected = await askGateway()
}, 120_000)

async function startNginx(program: string): Promise<string> {
  const listen = `127.0.0.1:${await freePort()}`
  mkdirSync(join(place, 'tmp'))
  const brotli = existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so')
  const config = nginxConfig(siteTable(folder), {
    root: folder,
    listen,
    gateways: [gateway.host],
    brotli,
    others,
  })
  await Bun.write(join(place, 'nginx.conf'), config)
  running.push(Bun.spawn([program, '-p', place, '-c', 'nginx.conf'], { stderr: 'inherit' }))
  await untilItAnswers(`http://${listen}`)
  return `http://${listen}`
}

async function startCaddy(program: string): Promise<string> {
  const listen = `http://127.0.0.1:${await freePort()}`
  const file = join(place, 'Caddyfile')
  const config = { root: folder, listen, gateways: [gateway.host], others }
  await Bun.write(file, caddyfile(siteTable(folder), config))
  const command = [program, 'run', '--config', file, '--adapter', 'caddyfile']
  const env = { HOME: place, XDG_CONFIG_HOME: place, XDG_DATA_HOME: place }
  running.push(
    Bun.spawn(command, { env, stdout: 'ignore', stderr: Bun.file(join(place, 'caddy.log')) }),
  )
  await untilItAnswers(listen)
  return listen
}

afterAll(async () => {
  for (const server of running) server.kill()
  await Promise.all(running.map(server => server.exited))
  await Promise.all([gateway.stop(), auth.stop()])
  rmSync(place, { recursive: true })
})

const compared = [
  'content-type',
  'vary',
  'link',
  'api-version',
  'content-signal',
  'ratelimit-policy',
  'ratelimit',
  'cache-control',
  'content-security-policy',
  'access-control-allow-origin',
  'x-content-type-options',
  'referrer-policy',
  'x-markdown-tokens',
  'location',
]

/** The parts of a response that must be the same on every server. */
async function comparable(answer: Response) {
  const headers = Object.fromEntries(compared.map(name => [name, answer.headers.get(name)]))
  // A redirect's body varies by server.
  const body = answer.status < 300 || answer.status >= 400 ? await answer.bytes() : ''
  if (answer.status === 301 || answer.status === 308) delete headers['content-type']
  return { status: answer.status, ...headers, body: Bun.hash(body).toString(16) }
}

const accepts = [
  '*/*',
  'text/html',
  'text/markdown',
  'text/html, text/markdown;q=0.5',
  'text/markdown;q=0, */*',
  'text/markdown;q=0.50, text/html;q=0.5',
  'text/markdown;q=0.55, text/html;q=0.5',
  'text/markdown;q=0.5, text/html;q=0.55',
  'text/markdown;q=0.001',
  'text/markdown;q=0.0',
  'text/markdown, */*;q=0.8',
  'text/*;q=0.3, text/markdown;q=0.2',
  'TEXT/MARKDOWN; charset=utf-8',
  'application/xhtml+xml',
  'text/html;q=0',
  'text/html;q=0.0, */*',
  'text/html;q=0, text/markdown;q=0',
  'application/xhtml+xml, text/html;q=0',
  'application/json',
]

/** Other headers matter only for deleted pages, which have a JSON version. */
const jsonAccepts = [
  'application/problem+json',
  'application/json, text/plain, */*',
  'application/json, text/html',
  'application/json;q=0.55, text/markdown;q=0.5',
  'application/json;q=0.50, text/markdown;q=0.5',
  'application/json;q=0.5, application/problem+json;q=0.8, text/html;q=0.75',
  'application/json;q=0, */*',
]

const odd = [
  '/no-such-page',
  '/blog/none',
  '/blog/',
  '/pricing.html',
  '/index.html',
  '/404',
  '/404.md',
]
const more = [
  '/_redirects',
  '/.env',
  '/gone/x',
  '/pricing/?a=b',
  '/pricing?a=b',
  '//x/',
  '/blog.md/',
]

function paths(): string[] {
  const known = siteTable(folder).rows.map(row => row.path)
  const slashed = known.filter(path => path !== '/').map(path => `${path}/`)
  const all = [...known, ...slashed, ...odd, ...more]
  return all.filter(path => !dynamicPaths.test(path.replace(/\?.*/, '')))
}

type Ask = (path: string, accept: string) => Promise<Response>
type Expected = { path: string; accept: string } & Awaited<ReturnType<typeof comparable>>

/** The servers choose each path's file by the same rule, so only some paths get every header. */
const withEveryHeader = new Set(['/', '/pricing', '/blog', '/llms.txt', '/openapi.json', ...odd])

function acceptsOf(path: string, at: number): string[] {
  if (/\.(woff2|png|ico|css|svg)$|.\/$/.test(path)) return ['*/*']
  if (path.includes('old-law')) return [...accepts, ...jsonAccepts]
  if (withEveryHeader.has(path)) return accepts
  return ['*/*', 'text/markdown', accepts[at % accepts.length] ?? '']
}

/** The gateway's responses, computed once for all servers. */
let expected: Expected[] = []

async function askGateway(): Promise<Expected[]> {
  const site = loadSite(folder)
  const all: Expected[] = []
  for (const [at, path] of paths().entries()) {
    for (const accept of acceptsOf(path, at)) {
      const request = new Request(`http://localhost${path}`, { headers: { accept } })
      all.push({ path, accept, ...(await comparable(site.serve(request))) })
    }
  }
  return all
}

async function compareWith(ask: Ask): Promise<void> {
  expect(expected.length).toBeGreaterThan(1000)
  const left = expected.values()
  const asker = async () => {
    for (const one of left) {
      const { path, accept } = one
      const found = { path, accept, ...(await comparable(await ask(path, accept))) }
      // Calls the slow `expect` only for differences.
      if (!Bun.deepEquals(found, one)) expect(found).toEqual(one)
    }
  }
  await Promise.all(Array.from({ length: 8 }, asker))
}

describe.skipIf(nginx === undefined && !mustHaveThem)('edge: nginx without the gateway', () => {
  const ask: Ask = (path, accept) =>
    fetch(origin + path, {
      headers: { accept, 'accept-encoding': 'identity' },
      redirect: 'manual',
    })

  test('every path gets the gateway’s response', () => compareWith(ask), 60_000)

  test('dynamic paths are forwarded to the gateway', () => gateway.isReachedThrough(origin))

  test('a file range gets 206, or 416 if out of bounds', () =>
    sendsParts(folder, (path, init) => fetch(origin + path, init)))

  test('another host belongs to another module', () => auth.isReachedThrough(origin))

  test('HEAD has the same headers, and an unchanged page gets 304', async () => {
    const whole = await ask('/pricing', 'text/html')
    const etag = whole.headers.get('etag') ?? ''
    const again = await fetch(`${origin}/pricing`, {
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'if-none-match': etag },
    })
    expect([etag !== '', again.status, await again.text()]).toEqual([true, 304, ''])
    const head = await fetch(`${origin}/`, { method: 'HEAD', headers: { accept: 'text/html' } })
    expect(head.headers.get('link')).toContain('rel="api-catalog"')
  })
})

describe.skipIf(caddy === undefined && !mustHaveThem)('edge: Caddy without the gateway', () => {
  const ask: Ask = (path, accept) =>
    fetch(caddyOrigin + path, {
      headers: { accept, 'accept-encoding': 'identity' },
      redirect: 'manual',
    })

  test('every path gets the gateway’s response', () => compareWith(ask), 60_000)

  test('dynamic paths are forwarded to the gateway', () => gateway.isReachedThrough(caddyOrigin))

  test('a file range gets 206, or 416 if out of bounds', () =>
    sendsParts(folder, (path, init) => fetch(caddyOrigin + path, init)))

  test('another host belongs to another module', () => auth.isReachedThrough(caddyOrigin))
})

test('edge: the _headers file has the gateway’s headers', () => {
  const site = loadSite(folder)
  const sections = headersFile(siteTable(folder)).trim().split('\n\n')
  expect(sections.length).toBeGreaterThan(100)
  for (const section of sections) {
    const [path = '', ...lines] = section.split('\n')
    const request = new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } })
    const { headers } = site.serve(request)
    for (const line of lines) {
      const [, name = '', value = ''] = /^ {2}([a-z-]+): (.+)$/.exec(line) ?? []
      expect([path, name, value]).toEqual([path, name, headers.get(name) ?? 'nothing'])
    }
  }
})

describe('edge: CDN worker without the gateway', () => {
  const fetchFile = async (file: string) => new Response(Bun.file(join(folder, file)))
  const ask = (path: string, init: RequestInit) =>
    worker(siteTable(folder))(new Request(`http://localhost${path}`, init), fetchFile)

  test('every path gets the gateway’s response', () => {
    const handler = worker(siteTable(folder))
    return compareWith((path, accept) =>
      handler(new Request(`http://localhost${path}`, { headers: { accept } }), fetchFile),
    )
  }, 60_000)

  test('a file range gets 206, or 416 if out of bounds', () => sendsParts(folder, ask))

  test('no site page is served at another module’s host', async () => {
    const handler = worker(siteTable(folder), ['auth.example.com'])
    const statusAt = async (host: string) =>
      (await handler(new Request(`https://${host}/pricing`), fetchFile)).status
    expect([await statusAt('auth.example.com'), await statusAt('www.example.com')]).toEqual([
      421, 200,
    ])
  })
})
