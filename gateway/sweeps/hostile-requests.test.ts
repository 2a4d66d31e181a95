import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { rawHttp } from '#http/testing/raw-http.ts'
import { writeSampleSite } from '../testing/site.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
const routes = sampleContent({ build: () => build })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => routes(request) })
const raw = rawHttp(server.port ?? 0)
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true })
})

/** A small linear congruential generator, so that a failure is the same failure tomorrow. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

describe('nothing a client can send is our fault', () => {
  const roll = dice(23)
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[roll(items.length)] ?? items[0]
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
    '?query=twin',
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
  const header = () => {
    const parts = Array.from({ length: roll(6) }, () => pick(types) + (roll(2) ? pick(junk) : ''))
    return parts.join(pick([',', ', ', ';', '']))
  }
  const path = () => {
    const parts = Array.from({ length: roll(7) }, () => (roll(2) ? pick(paths) : pick(words)))
    return `/${parts.join(pick(['', '/']))}${pick(ends)}`
  }

  test('5,000 requests in the process', async () => {
    const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'BREW'] as const
    for (let round = 0; round < 5000; round++) {
      const method = pick(methods)
      const headers = { accept: header(), 'accept-encoding': header(), 'if-none-match': header() }
      const body =
        method === 'POST'
          ? { body: header(), headers: { ...headers, 'content-type': header() } }
          : {}
      const url = `http://localhost${path()}`
      const request = new Request(url, { method, headers, ...body })
      const answer = await routes(request)
      if (answer.status >= 500)
        throw new Error(`${answer.status} ${method} ${url} ${JSON.stringify(headers)}`)
      expect([200, 204, 304, 308, 400, 404, 405, 415]).toContain(answer.status)
      expect(answer.headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
      expect(answer.headers.get('api-version')).toBe('2026-08-23')
    }
  })

  test('500 requests over the wire', async () => {
    for (let round = 0; round < 500; round++) {
      const target = encodeURI(path()).replaceAll('%25', '%').replaceAll(/[ #]/g, '')
      const headers = { accept: header(), 'accept-encoding': header(), 'if-none-match': header() }
      const ascii = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replaceAll('é', 'e')]),
      )
      const answer = await raw(`GET ${target}`, ascii)
      expect([target, ascii, answer.status >= 200 && answer.status < 500]).toEqual([
        target,
        ascii,
        true,
      ])
    }
  })
})
