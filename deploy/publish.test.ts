// An editor's week in a minute: pushes to a real bare repository, read from a gateway that watches
// the published link.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readlinkSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.dirname(import.meta.dir)
const home = mkdtempSync(path.join(tmpdir(), 'publish-'))
const desk = path.join(home, 'desk')
const bare = path.join(home, 'house.git')
const sites = path.join(home, 'sites')
const current = path.join(sites, 'current')
const secondsMax = 120

// Only what git is told here: no settings of this machine, and no repository that a hook runs for.
const environment = Object.fromEntries([
  ...Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
  ['GIT_CONFIG_GLOBAL', '/dev/null'],
  ['GIT_CONFIG_NOSYSTEM', '1'],
])

async function run(folder: string, ...command: string[]) {
  const options = { cwd: folder, env: environment, stdout: 'pipe', stderr: 'pipe' } as const
  const child = Bun.spawn(command, options)
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, error, code }
}

async function git(...args: string[]): Promise<string> {
  const { out, error, code } = await run(desk, 'git', ...args)
  if (code !== 0) throw new Error(error)
  return out.trim()
}

/** Commits everything on the desk and pushes it; answers what an editor then reads. */
async function push(subject: string) {
  await git('add', '--all')
  const who = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.com']
  await git(...who, 'commit', '--quiet', '--allow-empty', '-m', subject)
  const { code, error } = await run(desk, 'git', 'push', 'origin', 'HEAD:main')
  return { code, said: error.replace(/^remote: (.*?) *$/gm, '$1') }
}

let url = ''
let gateway: Bun.Subprocess | undefined
const read = (address: string, accept = '*/*') => fetch(url + address, { headers: { accept } })
const text = async (address: string, accept?: string) => (await read(address, accept)).text()

/** What a reader gets from the places that a new article would change, byte for byte. */
async function everything(): Promise<string[]> {
  return [readlinkSync(current), ...(await Promise.all(places.map(place => text(place))))]
}

beforeAll(async () => {
  // As it lies here, so that what is tested is what is about to be committed.
  const listed = await run(root, 'git', 'ls-files', '-co', '--exclude-standard', '-z')
  const names =
    listed.code === 0 ? listed.out.split('\0') : [...new Bun.Glob('**/*').scanSync(root)]
  const made = /^$|(^|\/)(node_modules|dist[^/]*|\.data|test-results|playwright-report)(\/|$)/
  for (const name of names.filter(each => !made.test(each) && existsSync(path.join(root, each)))) {
    cpSync(path.join(root, name), path.join(desk, name))
  }
  await run(home, 'git', 'init', '--quiet', '--bare', bare)
  await git('init', '--quiet')
  await git('remote', 'add', 'origin', bare)
  await git('add', '--all')
  await git('--git-dir', bare, 'config', 'publish.sites', sites)
  await git('--git-dir', bare, 'config', 'core.hooksPath', path.join(desk, 'deploy', 'hooks'))
  for (const hook of ['pre-receive', 'post-receive']) {
    chmodSync(path.join(desk, 'deploy', 'hooks', hook), 0o755)
  }
  // The packages of this checkout stand in for those that a server would fetch.
  const files = ['package.json', 'bun.lock'].map(name => path.join(desk, name))
  const ids = await git('hash-object', ...files)
  writeFileSync(path.join(home, 'ids'), `${ids}\n`)
  const packages = path.join(bare, 'publish', await git('hash-object', path.join(home, 'ids')))
  mkdirSync(packages, { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(packages, 'node_modules'))
})

afterAll(() => {
  gateway?.kill()
  rmSync(home, { recursive: true, force: true })
})

const slug = 'how-refills-work'
const file = `content/articles/${slug}.md`
const title = 'How a refill is asked for and decided'
const question = 'Who decides whether a refill is safe?'
const article = (body: string, day = '2026-11-20') => `---
title: ${title}
slug: ${slug}
description: >-
  A refill is a decision and not a repetition: who asks, what the clinician sees, and what the
  patient is told when the answer is no.
published: '${day}'
updated: '${day}'
author: mara-lindqvist
tags: [sandbox, reliability]
class: [E]
questions:
  - ${question}
  - What does a clinician see before a refill is decided?
  - What is a patient told when a refill is refused?
related: [webhooks-you-can-trust]
---

A refill looks like a repetition and is a decision. The patient asks, the record answers some of it,
and a clinician decides the rest.

## Who decides

${body}
`

/** Where an article shows up by itself. */
const places = [
  '/blog',
  '/blog.md',
  '/llms.txt',
  '/llms-full.txt',
  '/blog/llms.txt',
  '/changes.json',
  '/sitemap.xml',
  '/feed.xml',
  '/catalog/articles.json',
  '/catalog/search.json',
  `/ask?query=${encodeURIComponent(question)}`,
]

test(
  'the first push publishes, stage by stage, and a gateway serves what lies at the link',
  async () => {
    const { code, said } = await push('The house')
    expect(said).toMatch(/^publish: content checked in [\d.]+ s$/m)
    expect(said).toMatch(/^publish: site built in [\d.]+ s \(\/ask judged by \d+ .*\)$/m)
    expect(said).toMatch(/^publish: every address asked in [\d.]+ s \(\d+ here answer, \d+ .*\)$/m)
    expect(said).toMatch(/^publish: live: 2\d{3}-\S+$/m)
    expect(code).toBe(0)
    const command = [process.execPath, path.join(root, 'gateway', 'preview.ts'), current]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
    gateway = child
    const { value } = await child.stdout.getReader().read()
    const opened: { url: string } = JSON.parse(new TextDecoder().decode(value))
    url = opened.url
    expect((await read('/')).status).toBe(200)
    expect((await read(`/blog/${slug}`)).status).toBe(404)
  },
  secondsMax * 1000,
)

test(
  'a push with faults is refused with file and line, and nothing changes',
  async () => {
    const [before, tip] = [await everything(), await git('--git-dir', bare, 'rev-parse', 'main')]
    writeFileSync(path.join(desk, file), article('See [the guide](/no-such-page).', '20.11.2026'))
    const { code, said } = await push('A hasty article')
    expect(code).not.toBe(0)
    expect(said).toMatch(new RegExp(`^${file}:7:\\d+  .*→ .*$`, 'm'))
    expect(said).toMatch(new RegExp(`^${file}:24:\\d+  .*/no-such-page leads nowhere`, 'm'))
    expect(said).toContain('Nothing was taken.')
    expect(await git('--git-dir', bare, 'rev-parse', 'main')).toBe(tip)
    expect(await everything()).toEqual(before)
  },
  secondsMax * 1000,
)

test(
  'a build that mentions what does not answer is not switched to',
  async () => {
    const before = await everything()
    writeFileSync(path.join(desk, file), article('The clinician does.'))
    const notice = path.join(desk, 'site', 'public', 'notice.txt')
    writeFileSync(notice, 'Read first:\n[the notice](/no-such-notice)\n')
    const { code, said } = await push('An article, and a notice that leads nowhere')
    expect(said).toContain('notice.txt:2  /no-such-notice answers 404')
    expect(said).toMatch(/^publish: FAILED; \S+ stays live$/m)
    expect(said).toContain('The push was taken; the site is as it was.')
    // Git tells the hook's story and not its status: the push itself went well.
    expect(code).toBe(0)
    expect(await everything()).toEqual(before)
    rmSync(notice)
  },
  secondsMax * 1000,
)

test(
  'the push that mends it publishes the article in all its places, without a restart',
  async () => {
    const { code, said } = await push('Without the notice')
    expect(code).toBe(0)
    expect(said).toContain(`publish: new      /blog/${slug}`)
    for (let tries = 0; tries < 50; tries++) {
      if ((await read(`/blog/${slug}`)).status === 200) break
      await Bun.sleep(100)
    }
    expect(await text(`/blog/${slug}`, 'text/html')).toContain(title)
    const twin = await text(`/blog/${slug}.md`)
    expect(twin).toContain(`# ${title}`)
    expect(await text(`/blog/${slug}`, 'text/markdown')).toBe(twin)
    for (const place of places) expect(await text(place), place).toContain(`/blog/${slug}`)
    // Told against the build before, which lies in another folder: the list of articles moved, and
    // most pages did not.
    const moved: { changes: { page: string; old_hash: string | null }[] } = JSON.parse(
      await text('/changes.json'),
    )
    const changed = moved.changes.filter(({ old_hash }) => old_hash !== null)
    expect(changed.map(({ page }) => new URL(page).pathname)).toContain('/blog')
    expect(changed.length).toBeLessThan(moved.changes.length / 2)
    const answer: { results: { url: string }[] } = JSON.parse(await text(places.at(-1) ?? ''))
    expect(answer.results[0]?.url).toEndWith(`/blog/${slug}`)
  },
  secondsMax * 1000,
)
