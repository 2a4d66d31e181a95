// Generated requests to the built site, with any path, headers and body. No request may cause a
// server error or redirect to another host.
import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import * as fc from 'fast-check'
import { sampleBuild, sampleContent } from '#gateway/testing/content.ts'
import { rawHttp } from '#http/testing/raw-http.ts'
import { writeSampleSite } from '#gateway/testing/site.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
const routes = sampleContent({ build: () => build })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => routes(request) })
const raw = rawHttp(server.port ?? 0)
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true })
})

describe('site: hostile requests', () => {
  const paths = [
    '/',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%5c',
    '\\',
    '%00',
    '%',
    '%zz',
    '%ff',
    'é',
    '😀',
  ] as const
  const words = [
    'pricing',
    'blog',
    'first-visit',
    'index',
    '.html',
    '.md',
    'api',
    'ask',
    '404',
    '__proto__',
    '//',
  ] as const
  const ends = [
    '',
    '?',
    '?query=',
    '?query=duplicate',
    '?query=%ff&limit=9',
    '?limit=%00&query=x',
    '#x',
    ';a=b',
  ] as const
  const types = [
    'text/html',
    'text/markdown',
    '*/*',
    'text/*',
    'application/json',
    'gzip',
    'br',
    'zstd',
    '*',
    '',
  ] as const
  const junk = [
    ';q=0',
    ';q=1',
    ';q=0.5',
    ';q=',
    ';q=NaN',
    '"',
    '\\',
    ',',
    ';',
    ' ',
    '=',
    '\t',
    'é',
    'W/"',
    '"a"',
  ] as const
  const some = <Item>(items: readonly Item[]) => fc.constantFrom(...items)
  const joined = (parts: fc.Arbitrary<string>, max: number, separators: readonly string[]) =>
    fc
      .tuple(fc.array(parts, { maxLength: max }), some(separators))
      .map(([all, separator]) => all.join(separator))
  const part = fc.tuple(some(types), fc.oneof(fc.constant(''), some(junk))).map(two => two.join(''))
  const header = joined(part, 5, [',', ', ', ';', ''])
  const path = fc
    .tuple(joined(fc.oneof(some(paths), some(words)), 6, ['', '/']), some(ends))
    .map(([parts, end]) => `/${parts}${end}`)
  const headers = fc.record({ accept: header, 'accept-encoding': header, 'if-none-match': header })
  const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'BREW'] as const
  const post = fc.record({ body: header, type: header })

  test('5,000 generated requests in the process: no server error, no foreign redirect', async () => {
    const property = fc.asyncProperty(
      some(methods),
      path,
      headers,
      post,
      async (method, path, headers, { body, type }) => {
        const more =
          method === 'POST' ? { body, headers: { ...headers, 'content-type': type } } : { headers }
        const answer = await routes(new Request(`http://localhost${path}`, { method, ...more }))
        expect([200, 204, 304, 308, 400, 404, 405, 415]).toContain(answer.status)
        expect(answer.headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
        expect(answer.headers.get('api-version')).toBe('2026-08-23')
      },
    )
    await fc.assert(property, { seed: 23, numRuns: 5000 })
  })

  test('500 generated requests over a socket: no server error', async () => {
    const property = fc.asyncProperty(path, headers, async (path, headers) => {
      const target = encodeURI(path).replaceAll('%25', '%').replaceAll(/[ #]/g, '')
      const ascii = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replaceAll('é', 'e')]),
      )
      const { status } = await raw(`GET ${target}`, ascii)
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(500)
    })
    await fc.assert(property, { seed: 23, numRuns: 500 })
  })
})
