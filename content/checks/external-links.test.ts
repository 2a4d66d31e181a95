import { afterAll, expect, test } from 'bun:test'
import { checkOutside, outsideOf } from './external-links.ts'
import { content } from '../testing/article-copies.ts'

// Checks external links against a server with every kind of response.

const asked: string[] = []
const times = new Map<string, number>()
let open = 0
let most = 0
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname}`)
    times.set(pathname, (times.get(pathname) ?? 0) + 1)
    most = Math.max(most, ++open)
    await Promise.resolve()
    open--
    return answers[pathname]?.(request) ?? new Response(null, { status: 404 })
  },
})
afterAll(() => server.stop(true))

const answers: Record<string, (request: Request) => Response | Promise<Response>> = {
  '/there': () => new Response('words'),
  '/moved': () => Response.redirect(new URL('/there', server.url).href, 301),
  '/no-head': ({ method }) => new Response(null, { status: method === 'HEAD' ? 405 : 200 }),
  '/gone': () => new Response(null, { status: 410 }),
  '/people-only': () => new Response(null, { status: 403 }),
  '/busy-once': () =>
    times.get('/busy-once') === 1
      ? new Response(null, { status: 429, headers: { 'retry-after': '0' } })
      : new Response(null),
  '/broken': () => new Response(null, { status: 503 }),
  '/silent': () => new Promise<Response>(() => {}),
}

test('external links are requested slowly, and a missing page is reported at each link', async () => {
  const where = (line: number) => ({ path: 'content/articles/a.md', line, column: 1 })
  const paths = [...Object.keys(answers), '/missing']
  const urls = paths.map(path => new URL(path, server.url).href)
  const outside = new Map(urls.map((url, at) => [url, [where(at), where(at + 100)]]))
  const none = 'http://127.0.0.1:9/'
  outside.set(none, [where(99)])
  const hurried = { pauseMs: 0, retryMs: 0 }
  const [silent, others] = [[...outside].slice(7, 8), [...outside].toSpliced(7, 1)]
  const found = [
    ...(await checkOutside(new Map(others), { ...hurried, timeoutMs: 20_000 })),
    ...(await checkOutside(new Map(silent), { ...hurried, timeoutMs: 20 })),
  ]
  expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set(['K-outside']))
  const reported = found.map(({ line, level, message }) => [
    line % 100,
    level ?? 'error',
    message.replace(/^\S*?:\d+/, '').replace(/: .*$/, ''),
  ])
  const twice = <Value>(value: Value) => [value, value]
  expect(reported.filter(([line]) => line !== 99)).toEqual([
    ...twice([3, 'error', '/gone returns 410']),
    ...twice([4, 'warning', '/people-only returns 403']),
    ...twice([6, 'warning', '/broken returns 503']),
    ...twice([8, 'error', '/missing returns 404']),
    ...twice([7, 'warning', "/silent couldn't be reached"]),
  ])
  expect(reported.filter(([line]) => line === 99)).toEqual([
    [99, 'warning', "/ couldn't be reached"],
  ])
  expect(asked.slice(0, 5)).toEqual([
    'HEAD /there',
    'HEAD /moved',
    'HEAD /there',
    'HEAD /no-head',
    'GET /no-head',
  ])
  expect(times.get('/broken')).toBe(6)
  expect(times.get('/busy-once')).toBe(2)
  expect(times.get('/gone')).toBe(2)
  // Each host gets one request at a time.
  expect(most).toBe(1)
})

test('links, sources and criteria are requested; our own and reserved addresses aren’t', () => {
  const outside = outsideOf(content)
  const places = outside.get('https://www.rfc-editor.org/rfc/rfc2104') ?? []
  expect(places).toContainEqual({
    path: 'content/articles/webhooks-you-can-trust.md',
    line: 13,
    column: 10,
  })
  const kinds = new Set([...outside.values()].flat().map(({ path }) => path.split('/')[1]))
  expect(kinds).toContain('comparisons')
  for (const url of outside.keys()) expect(new URL(url).hostname).not.toMatch(/example|localhost/)
})
