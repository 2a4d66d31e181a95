import { afterAll, expect, test } from 'bun:test'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleSite } from '../testing/site.ts'
import { loadSite } from './static.ts'

const folder = writeSampleSite()
afterAll(() => rmSync(folder, { recursive: true }))

test('Last-Modified: a file has the time at which the build wrote it, and a missing page has none', () => {
  const written = new Date('2026-11-21T09:30:00Z')
  utimesSync(join(folder, '.well-known/mcp.json'), written, written)
  const site = loadSite(folder)
  const modified = (path: string) =>
    site.serve(new Request(`http://localhost${path}`)).headers.get('last-modified')
  expect(modified('/.well-known/mcp.json')).toBe('Sat, 21 Nov 2026 09:30:00 GMT')
  expect(modified('/nowhere')).toBeNull()
})
