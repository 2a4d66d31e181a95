// An editor's clone of this checkout, and the bare repository it pushes to, with the clone's hooks
// and the checkout's packages.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dir, '..', '..', '..')
const who = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.com']
const generated = /^$|(^|\/)(node_modules|dist[^/]*|\.data|test-results|playwright-report)(\/|$)/
/** Files to leave out, because a push writes every file twice and needs none of these files. */
const unused = /\.test\.tsx?$|^(bench|clients\/(python|typescript)|e2e|mutate|sweeps)\//

export async function openClone(inherited: Readonly<Record<string, string | undefined>>) {
  const home = mkdtempSync(path.join(tmpdir(), 'publish-'))
  const clone = path.join(home, 'clone')
  const bare = path.join(home, 'site.git')
  const sites = path.join(home, 'sites')
  // Excludes the git settings of this machine and of a hook that may be running this test.
  const environment = Object.fromEntries([
    ...Object.entries(inherited).filter(([name]) => !name.startsWith('GIT_')),
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
    const { out, error, code } = await run(clone, 'git', ...args)
    if (code !== 0) throw new Error(error)
    return out.trim()
  }

  /** Pushes the commits, and returns git's output for the editor. */
  async function pushTo(branch: string) {
    const { code, error } = await run(clone, 'git', 'push', 'origin', `HEAD:refs/heads/${branch}`)
    return { code, output: error.replace(/^remote: (.*?) *$/gm, '$1') }
  }

  /** Commits everything in the clone and pushes it. */
  async function push(subject: string) {
    await git('add', '--all')
    await git(...who, 'commit', '--quiet', '--allow-empty', '-m', subject)
    return pushTo('main')
  }

  // Copies the working tree, so the test covers uncommitted changes.
  const listed = await run(root, 'git', 'ls-files', '-co', '--exclude-standard', '-z')
  const names =
    listed.code === 0 ? listed.out.split('\0') : [...new Bun.Glob('**/*').scanSync(root)]
  for (const name of names.filter(
    each => !generated.test(each) && !unused.test(each) && existsSync(path.join(root, each)),
  )) {
    cpSync(path.join(root, name), path.join(clone, name))
  }
  // Links the packages next to the clone, so the clone stays clean.
  symlinkSync(path.join(root, 'node_modules'), path.join(home, 'node_modules'))
  await run(home, 'git', 'init', '--quiet', '--bare', bare)
  await git('init', '--quiet')
  await git('remote', 'add', 'origin', bare)
  await git('add', '--all')
  const hooks = path.join(clone, 'deploy', 'publish', 'hooks')
  await git('--git-dir', bare, 'config', 'publish.sites', sites)
  await git('--git-dir', bare, 'config', 'core.hooksPath', hooks)
  for (const hook of ['pre-receive', 'post-receive']) chmodSync(path.join(hooks, hook), 0o755)
  // This checkout's packages replace the packages that a server would install.
  const files = ['package.json', 'bun.lock'].map(name => path.join(clone, name))
  writeFileSync(path.join(home, 'ids'), `${await git('hash-object', ...files)}\n`)
  const packages = path.join(bare, 'publish', await git('hash-object', path.join(home, 'ids')))
  mkdirSync(packages, { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(packages, 'node_modules'))
  return { home, clone, bare, sites, who, run, git, push, pushTo }
}

export const slug = 'how-refills-work'
export const file = `content/articles/${slug}.md`
export const title = 'How refills work'
export const question = 'Who decides whether a refill is safe?'
/** An article with no errors except in its body. */
export const article = (body: string) => `---
title: ${title}
slug: ${slug}
description: >-
  A refill is a decision and not a repetition: who asks, what the clinician sees, and what the
  patient reads when the answer is no.
published: '2026-11-20'
updated: '2026-11-20'
tags: [sandbox, reliability]
class: [E]
questions:
  - ${question}
  - What does a clinician see before a refill is decided?
  - What does a patient read when a refill is refused?
related: [webhooks-you-can-trust]
---

A refill looks like a repetition and is a decision. The patient asks, the record answers some of it,
and a clinician decides the rest.

## Who decides

${body}
`
