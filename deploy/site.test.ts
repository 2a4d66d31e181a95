// An editor's session at `bun run site`, on a copy of what editors write.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Finding, State } from './site-bar.ts'

const root = path.dirname(import.meta.dir)
const copy = mkdtempSync(path.join(tmpdir(), 'preview-'))
const made = /^(dist.*|\.astro|node_modules)$/

let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | undefined
let url = ''
const read = (address: string, headers = {}) => fetch(url + address, { headers })
const text = async (address: string) => (await read(address)).text()

beforeAll(async () => {
  const rooms = ['auth', 'clinical', 'content', 'contract', 'database', 'deploy', 'gateway', 'http']
  for (const room of [...rooms, 'mcp', 'site', 'package.json', 'CHANGELOG.md']) {
    const filter = (from: string) => !made.test(path.basename(from))
    cpSync(path.join(root, room), path.join(copy, room), { recursive: true, filter })
  }
  // What a clean clone has once the house was started there.
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
  let said = ''
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    url = /(http:\/\/localhost:\d+)\/\n/.exec(said)?.[1] ?? ''
    if (url !== '') return
  }
  throw new Error(said)
}, 120_000)

afterAll(async () => {
  child?.kill()
  await child?.exited
  rmSync(copy, { recursive: true })
})

/** What the bar of a page hears, until it hears what is waited for. */
async function heard(isIt: (state: State) => boolean): Promise<State> {
  const { body } = await read('/_preview/events')
  let said = ''
  for await (const chunk of body ?? []) {
    said += new TextDecoder().decode(chunk)
    for (const [, data = ''] of said.matchAll(/^data: (.*)\n\n/gm)) {
      const state: State = JSON.parse(data)
      if (isIt(state)) return state
    }
  }
  throw new Error(`never heard: ${said}`)
}

const file = path.join(copy, 'content/articles/how-refills-work.md')
const page = '/blog/how-refills-work'

/** Saves the draft with one text in the place of another, as an editor does. */
async function save(from: string, to: string): Promise<void> {
  const source = await Bun.file(file).text()
  expect(source).toContain(from)
  await Bun.write(file, source.replace(from, to))
}

const shows = async (words: string) => (await text(page)).includes(words)
const versionOf = (html: string) => Number(/<preview-bar version="(\d+)"/.exec(html)?.[1])

test('a new draft is on its page and in its lists, and says that it is one', async () => {
  const before = versionOf(await text('/blog'))
  const command = [process.execPath, 'run', 'new', 'article', 'How refills work']
  expect(await Bun.spawn(command, { cwd: copy, stdout: 'ignore' }).exited).toBe(0)
  await heard(({ version }) => version > before)
  const answer = await read(page)
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const html = await answer.text()
  expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).toBe('Draft: How refills work')
  expect(html.includes('<meta name="robots" content="noindex">')).toBe(true)
  expect(html.includes('<script type="module" src="/_preview/bar.js">')).toBe(true)
  for (const list of ['/blog', '/blog/llms.txt', '/feed.xml', `${page}.md`]) {
    expect([list, (await text(list)).includes('Draft: How refills work')]).toEqual([list, true])
  }
  const twin = await read(page, { accept: 'text/markdown' })
  expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await twin.text()).toBe(await text(`${page}.md`))
}, 60_000)

test('what is saved is shown; what is broken keeps the last page and says why; mended, it goes on', async () => {
  const first = versionOf(await text(page))
  await save('## What happens', '## When a refill is due')
  const { version } = await heard(state => state.version > first)
  expect(await shows('When a refill is due')).toBe(true)
  const { measures } = await heard(state => state.measures[page] !== undefined)
  expect(measures[page]?.words).toBeGreaterThan(20)

  await save('## When a refill is due', '## Who is asked')
  await heard(state => state.version > version)
  const good = await text(page)
  const source = await Bun.file(file).text()
  await save('published: ', 'published: soon # ')
  const isGrave = ({ findings }: State) => findings.some(({ grave }) => grave)
  const { findings } = await heard(isGrave)
  const fault = findings.find(({ grave }) => grave)
  const place: Partial<Finding> = { path: 'content/articles/how-refills-work.md', line: 5, page }
  expect(fault).toMatchObject({ ...place, column: 12, rule: 'F-date' })
  expect((await text(page)) === good).toBe(true)

  await Bun.write(file, source.replace('Who is asked', '[Who](/docs/nobody) is asked'))
  await heard(state => state.findings.some(({ grave, rule }) => grave && rule.startsWith('K-')))
  expect((await text(page)) === good).toBe(true)

  await Bun.write(file, source.replace('Who is asked', 'Who answers'))
  await heard(state => !isGrave(state) && state.version > versionOf(good))
  expect(await shows('Who answers')).toBe(true)
}, 60_000)

test('what no page is answers too, and nobody elsewhere reads this machine', async () => {
  const { items, results = items } = await (await read('/ask?query=webhooks')).json()
  expect(results.length).toBeGreaterThan(0)
  expect((await read('/booking/times')).status).toBe(200)
  expect((await read('/no-such-page')).status).toBe(404)
  expect((await read('/', { host: 'elsewhere.example' })).status).toBe(421)
})
