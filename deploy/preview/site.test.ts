// An editor's session with `npm run site`, on a copy of the sources.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Finding, State } from './site-bar.ts'

const root = path.join(import.meta.dir, '..', '..')
const copy = mkdtempSync(path.join(tmpdir(), 'preview-'))
const ignored = /^(\..*|dist.*|node_modules)$/

let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | undefined
let url = ''
const read = (address: string, headers = {}) => fetch(url + address, { headers })
const text = async (address: string) => (await read(address)).text()

beforeAll(async () => {
  const isSource = (from: string) => !ignored.test(path.basename(path.relative(root, from)))
  cpSync(root, copy, { recursive: true, filter: isSource })
  // A clone has these after its first start.
  for (const each of ['node_modules', 'site/dist']) {
    const target = path.join(root, each)
    if (existsSync(target)) symlinkSync(target, path.join(copy, each))
  }
  const command = ['bun', 'run', 'site', '--port=0']
  child = Bun.spawn([process.execPath, ...command.slice(1)], {
    cwd: copy,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    url = /(http:\/\/localhost:\d+)\/\n/.exec(output)?.[1] ?? ''
    if (url !== '') return
  }
  throw new Error(output)
}, 120_000)

afterAll(async () => {
  child?.kill()
  await child?.exited
  rmSync(copy, { recursive: true })
})

/** Reads the states sent to the bar until one is as expected. */
async function stateWith(isExpected: (state: State) => boolean): Promise<State> {
  const { body } = await read('/_preview/events')
  let output = ''
  for await (const chunk of body ?? []) {
    output += new TextDecoder().decode(chunk)
    for (const [, data = ''] of output.matchAll(/^data: (.*)\n\n/gm)) {
      const state: State = JSON.parse(data)
      if (isExpected(state)) return state
    }
  }
  throw new Error(`the state was never sent: ${output}`)
}

const file = path.join(copy, 'content/articles/how-refills-work.md')
const page = '/blog/how-refills-work'

/** Replaces text in the draft and saves it. */
async function save(from: string, to: string): Promise<void> {
  const source = await Bun.file(file).text()
  expect(source).toContain(from)
  await Bun.write(file, source.replace(from, to))
}

const shows = async (part: string) => (await text(page)).includes(part)
const versionOf = (html: string) => Number(/<preview-bar version="(\d+)"/.exec(html)?.[1])

test('preview: a new draft has a page, appears in the lists, and is marked as a draft', async () => {
  const before = versionOf(await text('/blog'))
  const command = [process.execPath, 'run', 'new', 'article', 'How refills work']
  expect(await Bun.spawn(command, { cwd: copy, stdout: 'ignore' }).exited).toBe(0)
  await stateWith(({ version }) => version > before)
  const answer = await read(page)
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const html = await answer.text()
  expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).toBe('Draft: How refills work')
  expect(html.includes('<meta name="robots" content="noindex">')).toBe(true)
  expect(html.includes('<script type="module" src="/_preview/bar.js">')).toBe(true)
  for (const list of ['/blog', '/blog/llms.txt', '/feed.xml', `${page}.md`]) {
    expect([list, (await text(list)).includes('Draft: How refills work')]).toEqual([list, true])
  }
  const markdown = await read(page, { accept: 'text/markdown' })
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await markdown.text()).toBe(await text(`${page}.md`))
}, 300_000)

test('preview: shows saved changes, or the last good version with the error while a file is broken', async () => {
  const first = versionOf(await text(page))
  await save('## What happens', '## When a refill is due')
  const { version } = await stateWith(state => state.version > first)
  expect(await shows('When a refill is due')).toBe(true)
  const { measures } = await stateWith(state => state.measures[page] !== undefined)
  expect(measures[page]?.words).toBeGreaterThan(20)

  await save('## When a refill is due', '## Who is asked')
  await stateWith(state => state.version > version)
  const good = await text(page)
  const source = await Bun.file(file).text()
  await save('published: ', 'published: soon # ')
  const isBlocked = ({ findings }: State) => findings.some(({ isBlocking }) => isBlocking)
  const { findings } = await stateWith(isBlocked)
  const finding = findings.find(({ isBlocking }) => isBlocking)
  const place: Partial<Finding> = { path: 'content/articles/how-refills-work.md', line: 5, page }
  expect(finding).toMatchObject({ ...place, column: 12, rule: 'F-date' })
  expect((await text(page)) === good).toBe(true)

  await Bun.write(file, source.replace('Who is asked', '[Who](/docs/missing) is asked'))
  await stateWith(state =>
    state.findings.some(({ isBlocking, rule }) => isBlocking && rule.startsWith('K-')),
  )
  expect((await text(page)) === good).toBe(true)

  await Bun.write(file, source.replace('Who is asked', 'Who answers'))
  await stateWith(state => !isBlocked(state) && state.version > versionOf(good))
  expect(await shows('Who answers')).toBe(true)
}, 300_000)

test('preview: serves the gateway’s paths too, and refuses other host names', async () => {
  const { items, results = items } = await (await read('/ask?query=webhooks')).json()
  expect(results.length).toBeGreaterThan(0)
  expect((await read('/booking/times')).status).toBe(200)
  expect((await read('/no-such-page')).status).toBe(404)
  expect((await read('/', { host: 'elsewhere.example' })).status).toBe(421)
})
