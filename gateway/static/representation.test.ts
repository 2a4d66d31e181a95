import { afterAll, expect, test } from 'bun:test'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleSite } from '../testing/site.ts'
import { loadSite } from './static.ts'

const folder = writeSampleSite()
afterAll(() => rmSync(folder, { recursive: true }))

test('Last-Modified: a file has its build time, and a missing page has none', () => {
  const written = new Date('2026-11-21T09:30:00Z')
  utimesSync(join(folder, '.well-known/mcp.json'), written, written)
  const site = loadSite(folder)
  const modified = (path: string) =>
    site.serve(new Request(`http://localhost${path}`)).headers.get('last-modified')
  expect(modified('/.well-known/mcp.json')).toBe('Sat, 21 Nov 2026 09:30:00 GMT')
  expect(modified('/nowhere')).toBeNull()
})

test('If-Modified-Since: 304 from the second a file was written, for GET and HEAD', () => {
  const written = new Date('2026-11-21T09:30:00.700Z')
  utimesSync(join(folder, '.well-known/mcp.json'), written, written)
  const site = loadSite(folder)
  const status = (since: string, more: Record<string, string> = {}, init: RequestInit = {}) => {
    const headers = { 'if-modified-since': since, ...more }
    return site.serve(new Request('http://localhost/.well-known/mcp.json', { ...init, headers }))
      .status
  }
  for (const method of ['GET', 'HEAD']) {
    expect(status('Sat, 21 Nov 2026 09:30:00 GMT', {}, { method })).toBe(304)
    expect(status('Saturday, 21-Nov-26 09:30:01 GMT', {}, { method })).toBe(304)
    expect(status('Sat, 21 Nov 2026 09:29:59 GMT', {}, { method })).toBe(200)
    expect(status('yesterday', {}, { method })).toBe(200)
  }
  const same = 'Sat, 21 Nov 2026 09:30:00 GMT'
  expect(status(same, { 'if-none-match': '"other"' })).toBe(200)
  expect(status(same, { range: 'bytes=0-1' })).toBe(304)
})
