import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { sampleFiles, writeSampleSite } from '../testing/site.ts'
import { loadSite } from './static.ts'

const folder = writeSampleSite()
const site = loadSite(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const text = sampleFiles['llms.txt'] ?? ''
const size = Buffer.byteLength(text)

function get(headers: Record<string, string>, path = '/llms.txt', method = 'GET'): Response {
  return site.serve(new Request(`http://localhost${path}`, { method, headers }))
}

test('range: 206 has the requested bytes, unencoded', async () => {
  const ranges: [string, string, number, number][] = [
    ['bytes=0-9', text.slice(0, 10), 0, 9],
    ['bytes=10-', text.slice(10), 10, size - 1],
    ['bytes=-5', text.slice(-5), size - 5, size - 1],
    ['bytes=5-999999', text.slice(5), 5, size - 1],
    ['bytes=-999999', text, 0, size - 1],
    ['BYTES = 1-1', text.slice(1, 2), 1, 1],
  ]
  for (const [range, expected, first, last] of ranges) {
    const answer = get({ range, 'accept-encoding': 'br, gzip' })
    expect([range, answer.status]).toEqual([range, 206])
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`)
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe(expected)
  }
})

test('range: a whole-file response advertises range support', () => {
  expect(get({}).headers.get('accept-ranges')).toBe('bytes')
  expect(get({}, '/llms.txt', 'HEAD').headers.get('accept-ranges')).toBe('bytes')
  expect(get({}, '/none').headers.has('accept-ranges')).toBe(false)
})

test('range: the whole file for HEAD, for several ranges and for an invalid range', async () => {
  for (const range of ['bytes=0-1,3-4', 'bytes=9-3', 'bytes=-', 'bytes=x', 'lines=1-2', '']) {
    const answer = get({ range })
    expect([range, answer.status, await answer.text()]).toEqual([range, 200, text])
  }
  expect(get({ range: 'bytes=0-1' }, '/llms.txt', 'HEAD').status).toBe(200)
  expect(get({ range: 'bytes=0-1' }, '/none').status).toBe(404)
})

test('range: 416 includes the length, a code and a hint', async () => {
  for (const range of [`bytes=${size}-`, 'bytes=-0', 'bytes=999999999999999-']) {
    const answer = get({ range })
    expect([range, answer.status]).toEqual([range, 416])
    expect(answer.headers.get('content-range')).toBe(`bytes */${size}`)
    expect(await answer.json()).toMatchObject({ code: 'range_not_satisfiable', status: 416 })
  }
})

test('range: If-Range gets the whole file unless its tag matches', () => {
  const etag = get({}).headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  const range = 'bytes=0-1'
  expect(get({ range, 'if-range': etag }).status).toBe(206)
  for (const other of ['"other"', `W/${etag}`, 'Sun, 22 Nov 2026 08:00:00 GMT'])
    expect([other, get({ range, 'if-range': other }).status]).toEqual([other, 200])
})

test('range: If-None-Match takes precedence', () => {
  const etag = get({}).headers.get('etag') ?? ''
  expect(get({ range: 'bytes=0-1', 'if-none-match': etag }).status).toBe(304)
  expect(get({ range: 'bytes=0-1', 'if-none-match': '"other"' }).status).toBe(206)
})
