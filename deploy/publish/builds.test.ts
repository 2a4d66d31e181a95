import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { currentBuild, Publication, switchTo, lock } from './builds.ts'

let sites: string
beforeEach(() => void (sites = mkdtempSync(path.join(tmpdir(), 'sites-'))))
afterEach(() => rmSync(sites, { recursive: true, force: true }))

const names = ['1', '2', '3', '4'].map(n => `2026-11-2${n}T08-00-00-000Z`)
const [first = '', second = '', third = '', fourth = ''] = names
const make = (name: string) => mkdirSync(path.join(sites, name))
const builds = () => readdirSync(sites).filter(name => name.startsWith('2'))

/**
 * Starts a publication as a push does, in a separate process. The publication may wait for the
 * lock.
 */
function start(...more: string[]) {
  const script = path.join(import.meta.dir, 'publish.ts')
  const command = [process.execPath, script, '--sites', sites, ...more]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  let output = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stdout) output += decoder.decode(bytes, { stream: true })
    return output
  }
  const reading = read()
  const prints = (text: string) => until(() => output.includes(text))
  return { child, prints, output: () => reading }
}

test('builds: the oldest are removed, but never the served build', async () => {
  for (const name of names) make(name)
  await switchTo(sites, first)
  await new Publication(sites).prune(2)
  expect(builds().sort()).toEqual([first, third, fourth])
  await switchTo(sites, fourth)
  await new Publication(sites).prune(2)
  expect(builds().sort()).toEqual([third, fourth])
})

test('builds: only a killed publication’s leftovers are removed', async () => {
  make(first)
  make(`.new-${second}`)
  make(`.new-${second}.123`)
  writeFileSync(path.join(sites, 'note.txt'), '')
  await new Publication(sites).removeUnfinished()
  expect(readdirSync(sites).sort()).toEqual([first, 'note.txt'])
})

test('publish --back: serves the previous build, and fails if none exists', async () => {
  for (const name of names) make(name)
  await switchTo(sites, third)
  const back = start('--back')
  expect(await back.output()).toContain(`live: ${second}, rolled back from ${third}`)
  expect(await currentBuild(sites)).toBe(second)
  await switchTo(sites, first)
  const further = start('--back')
  expect(await further.output()).toMatch(/no build before the current one[^]*FAILED; .* stays live/)
  expect(await further.child.exited).toBe(1)
  expect(await currentBuild(sites)).toBe(first)
})

test('publish: waits for a running publication, and skips a push that a newer one superseded', async () => {
  make(first)
  await switchTo(sites, first)
  const bare = path.join(sites, 'site.git')
  const git = (...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_DIR: bare }
    return Bun.spawnSync(['git', ...args], { env })
      .stdout.toString()
      .trim()
  }
  git('init', '--quiet', '--bare')
  const who = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.com']
  const tree = git('hash-object', '-t', 'tree', '-w', '/dev/null')
  const commits = ['one', 'two'].map(subject => git(...who, 'commit-tree', tree, '-m', subject))
  const [older = '', newer = ''] = commits
  git('update-ref', 'refs/heads/main', newer)

  const turn = await lock(new Publication(sites))
  const push = start('--repository', bare, '--branch', 'main', '--commit', older)
  await push.prints('waiting for another publication')
  expect(push.child.exitCode).toBeNull()
  turn.release()
  expect(await push.output()).toMatch(
    /waiting for another publication[^]*superseded: a newer push to main/,
  )
  expect(await push.child.exited).toBe(0)
  expect(await currentBuild(sites)).toBe(first)
})

test('publish: prints its usage without a folder', async () => {
  const script = path.join(import.meta.dir, 'publish.ts')
  const child = Bun.spawn([process.execPath, script], { stdout: 'pipe', stderr: 'pipe' })
  expect(await new Response(child.stderr).text()).toStartWith(
    'Usage: node deploy/publish/publish.mjs',
  )
  expect(await child.exited).toBe(2)
})
