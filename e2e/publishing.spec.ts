// Runs the publishing setup from deploy/publish/README.md next to a fresh checkout, then an
// editor's first push.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { openShell, typed } from './guides/run.ts'
import { newcomer, root } from './servers.ts'

const [setup = '', clone = '', push = ''] = shellBlocks('Setup')

/** The shell blocks in one section of deploy/publish/README.md. */
function shellBlocks(heading: string): string[] {
  const text = readFileSync(path.join(root, 'deploy', 'publish', 'README.md'), 'utf8')
  const section = text.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(found => found[1] ?? '')
}

let service: ChildProcess | undefined
test.afterAll(() => service?.kill('SIGTERM'))

test('publishing: the documented setup publishes an editor’s first push', async () => {
  const who = newcomer()
  test.info().skip(who === undefined, 'a full run has the fresh checkout')
  if (who === undefined) return
  const isLent = lstatSync(path.join(who.folder, 'node_modules')).isSymbolicLink()
  test.info().skip(isLent, 'no registry responds, and publishing installs its packages')
  // Allows time for two builds on a busy machine.
  test.setTimeout(600_000)
  const place = path.dirname(who.folder)
  const dataDir = path.join(place, 'data')
  // Runs alongside the service that other tests use.
  const shell = { ...openShell(process.env, who, place), DATA_DIR: dataDir, PORT: '0' }
  const run = async (script: string) => {
    const { stdout, stderr, status } = await typed(`set -eu\n${script}`, place, shell, who)
    expect(status, stdout + stderr).toBe(0)
    return stdout + stderr
  }
  const lines = setup.trim().split('\n')
  const start = lines.pop() ?? ''
  expect(start).toMatch(/^SITE_DIR="\$PWD\/sites\/current" npm .*start$/)
  expect(await run(lines.join('\n'))).toContain('publish: live: ')

  const { uid, gid } = who
  service = spawn('bash', ['-c', `exec env ${start}`], { cwd: place, env: shell, uid, gid })
  const access = path.join(dataDir, 'dev.json')
  const url = () => /"url": "(\S+)"/.exec(existsSync(access) ? readFileSync(access, 'utf8') : '')
  await expect.poll(() => url()?.[1], { timeout: 180_000 }).toBeDefined()

  await run(clone)
  const sentence = 'A first push has added this sentence.'
  const file = 'content/articles/webhooks-you-can-trust.md'
  appendFileSync(path.join(place, 'editor', file), `\n${sentence}\n`)
  expect(await run(push)).toContain('publish: live: ')
  const page = async () =>
    (
      await fetch(`${url()?.[1]}/blog/webhooks-you-can-trust`, {
        headers: { accept: 'text/markdown' },
      })
    ).text()
  await expect.poll(page).toContain(sentence)
})
