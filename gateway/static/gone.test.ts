import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { writeSampleSite } from '../testing/site.ts'
import { loadSite } from './static.ts'

const folder = writeSampleSite()
const site = loadSite(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}): Response =>
  site.serve(new Request(`http://localhost${path}`, { headers }))

describe('site: 410', () => {
  test('a deleted page responds in the requested format, even at its Markdown URL', async () => {
    const types: [accept: string, type: string][] = [
      ['text/html', 'text/html; charset=utf-8'],
      ['*/*', 'text/markdown; charset=utf-8'],
      ['text/markdown', 'text/markdown; charset=utf-8'],
      ['application/json', 'application/problem+json'],
      ['application/problem+json, */*;q=0.1', 'application/problem+json'],
    ]
    for (const path of ['/blog/old-law', '/blog/old-law.md']) {
      for (const [accept, type] of types) {
        const { status, headers } = get(path, { accept })
        expect([path, accept, status, headers.get('content-type'), headers.get('vary')]).toEqual([
          path,
          accept,
          410,
          type,
          'Accept, Accept-Encoding',
        ])
      }
    }
    const answer = get('/blog/old-law', { accept: 'application/json' })
    expect(await answer.json()).toEqual({ status: 410, code: 'page_gone' })
    expect(get('/gone/blog/old-law.json').status).toBe(404)
  })
})
