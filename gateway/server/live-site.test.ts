import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { untilPaused } from '#http/testing/pauses.ts'
import { writeBuild } from '../testing/builds.ts'
import { sampleContent } from '../testing/content.ts'
import { openLiveSite } from './live-site.ts'
import { until } from '#http/testing/until.ts'

const everyMilliseconds = 5
const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A folder of deployed builds, and the site served from its symbolic link. */
function publishing() {
  const sites = mkdtempSync(path.join(tmpdir(), 'sites-'))
  closers.push(() => rmSync(sites, { recursive: true, force: true }))
  const folder = (name: string) => path.join(sites, name)
  const link = (name: string) => {
    symlinkSync(name, folder('current.new'))
    renameSync(folder('current.new'), folder('current'))
  }
  const events: [string, Record<string, unknown>][] = []
  /** The number of requests that have read the current build. */
  let requestCount = 0
  const open = async (at = folder('current')) => {
    const event = (name: string, fields = {}) => void events.push([name, fields])
    const site = await openLiveSite(at, { event }, everyMilliseconds)
    closers.push(() => site.stop())
    const build = () => {
      requestCount++
      return site.current()
    }
    const routes = sampleContent({ build })
    const fetch = (request: Request) => routes(request)
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
    closers.push(() => server.stop(true))
    return (address: string, init?: RequestInit) =>
      globalThis.fetch(`http://127.0.0.1:${server.port}${address}`, init)
  }
  return { sites, folder, link, events, open, requestCount: () => requestCount }
}

const numberIn = (text: string) => /[Bb]uild[ -](\d+)/.exec(text)?.[1]

test('site: during ten deployments no request fails or mixes two builds', async () => {
  const { folder, link, open } = publishing()
  const builds = Array.from({ length: 11 }, (_, n) => n)
  for (const n of builds) writeBuild(folder(`${n}`), n)
  link('0')
  const call = await open()
  /** Entity tags by build and format. Two tags for the same build and format would mean mixed
   *  builds. */
  const tags = new Map<string, Set<string>>()
  const seen = new Set<string>()
  let answers = 0
  let rounds = 0
  const switching = new AbortController()
  const read = async (address: string, accept: string) => {
    const response = await call(address, { headers: { accept } })
    expect(response.status).toBe(200)
    const n = numberIn(await response.text()) ?? 'none'
    const form = `${n} ${address} ${accept}`
    tags.set(form, (tags.get(form) ?? new Set()).add(response.headers.get('etag') ?? ''))
    seen.add(n)
    answers++
    return n
  }
  const visitor = async () => {
    while (!switching.signal.aborted) {
      const before = await read('/', 'text/html')
      const between = [
        await read('/', 'text/markdown'),
        await read('/index.md', '*/*'),
        await read('/llms.txt', '*/*'),
        await read('/ask?query=consult', '*/*'),
      ]
      // Responses between two identical pages must be from the same build.
      if (before !== (await read('/', 'text/html'))) continue
      expect(between).toEqual(between.map(() => before))
      rounds++
    }
  }
  const visitors = Array.from({ length: 8 }, visitor)
  // Each build must be read before the switch to the next.
  await until(() => seen.has('0'))
  for (const n of builds.slice(1)) {
    // Waits for two complete rounds; otherwise a slow machine could miss the build.
    const roundsNeeded = rounds + 2
    link(`${n}`)
    await until(() => seen.has(`${n}`) && rounds >= roundsNeeded)
  }
  switching.abort()
  await Promise.all(visitors)
  expect([...seen].sort()).toEqual(builds.map(String).sort())
  expect([...tags.values()].map(each => each.size)).toEqual([...tags.values()].map(() => 1))
  expect(answers).toBeGreaterThan(100)
  expect(rounds).toBeGreaterThan(10)
})

test('site: a request uses the build from its start, even if its body arrives later', async () => {
  const { folder, link, events, open, requestCount } = publishing()
  writeBuild(folder('1'), 1)
  writeBuild(folder('2'), 2)
  link('1')
  const call = await open()
  const before = requestCount()
  const { promise: switched, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"query":'))
      await switched
      controller.enqueue(new TextEncoder().encode('"consult"}'))
      controller.close()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const pending = call('/ask', { method: 'POST', headers, body })
  await until(() => requestCount() > before)
  link('2')
  await until(() => events.length > 0)
  resolve()
  expect(numberIn(await (await pending).text())).toBe('1')
  expect(numberIn(await (await call('/ask?query=consult')).text())).toBe('2')
})

test('site: an invalid build is logged once and not used, and the next valid one is', async () => {
  const { folder, link, events, open } = publishing()
  writeBuild(folder('1'), 1)
  writeBuild(folder('2'), 2, { 'catalog/search.json': '{"index":' })
  writeBuild(folder('3'), 3)
  rmSync(path.join(folder('3'), 'index.html'))
  writeBuild(folder('4'), 4)
  link('1')
  const call = await open()
  for (const [count, name] of ['2', '3'].entries()) {
    link(name)
    await until(() => events.length > count)
    await untilPaused(everyMilliseconds, 3)
    expect(events).toHaveLength(count + 1)
    expect(events[count]).toEqual([
      'site.refused',
      { build: folder(name), reason: expect.stringMatching(/./) },
    ])
    expect(await (await call('/llms.txt')).text()).toBe('build 1\n')
  }
  link('4')
  await until(() => events.length > 2)
  expect(events[2]).toMatchObject(['site.switched', { build: folder('4') }])
  expect(await (await call('/llms.txt')).text()).toBe('build 4\n')
})

test('site: an unreadable folder is logged once, and the last build is still served', async () => {
  const { folder, link, events, open } = publishing()
  writeBuild(folder('1'), 1)
  writeBuild(folder('2'), 2)
  link('1')
  const call = await open()
  // A link to itself, which can't be read.
  link('current')
  await until(() => events.length > 0)
  await untilPaused(everyMilliseconds, 3)
  expect(events).toEqual([
    ['site.refused', { build: folder('current'), reason: expect.stringContaining('ELOOP') }],
  ])
  expect(await (await call('/llms.txt')).text()).toBe('build 1\n')
  link('2')
  await until(() => events.length > 1)
  expect(events[1]).toMatchObject(['site.switched', { build: folder('2') }])
  expect(await (await call('/llms.txt')).text()).toBe('build 2\n')
})

test('site: a folder replaced in place is detected, even with a gap in between', async () => {
  const { folder, events, open } = publishing()
  writeBuild(folder('dist'), 1)
  writeBuild(folder('dist.new'), 2)
  const call = await open(folder('dist'))
  renameSync(folder('dist'), folder('dist.old'))
  await untilPaused(everyMilliseconds, 3)
  expect(await (await call('/llms.txt')).text()).toBe('build 1\n')
  expect(events).toEqual([])
  renameSync(folder('dist.new'), folder('dist'))
  rmSync(folder('dist.old'), { recursive: true })
  await until(() => events.length > 0)
  expect(await (await call('/llms.txt')).text()).toBe('build 2\n')
})

test('site: a start without a build explains how to build or configure one', async () => {
  const { folder, open } = publishing()
  await expect(open(folder('current'))).rejects.toThrow(/search.json doesn't exist.*SITE_DIR/)
})

test('site: the catalog belongs to the served build', async () => {
  const { folder } = publishing()
  writeBuild(folder('dist'), 1)
  writeBuild(folder('dist.new'), 2)
  const site = await openLiveSite(folder('dist'), { event() {} }, everyMilliseconds)
  closers.push(() => site.stop())
  const before = site.current().catalog
  expect(before.articles.slugs).toHaveLength(1)
  renameSync(folder('dist'), folder('dist.old'))
  renameSync(folder('dist.new'), folder('dist'))
  await until(() => site.current().catalog !== before)
  expect(site.current().catalog.articles.slugs).toHaveLength(2)
  expect(before.articles.slugs).toHaveLength(1)
})
