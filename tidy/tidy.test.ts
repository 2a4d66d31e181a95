// Enforces the repository's rules (tidy/rules.ts). Reads every file once.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { folderCirclesOf } from './circles.ts'
import { documents } from './documents.ts'
import { owners } from './owners.ts'
import { type File, isCode, isTest, isTesting } from './files.ts'
import { imports, rules } from './rules.ts'
import { folderSamples, samples } from './samples.suite.ts'
import { refusedIn } from './words.ts'

const root = path.dirname(import.meta.dir)

/** Files that git tracks or would track. In an unpacked archive, all files except build output. */
function listFiles(): string[] {
  const command = ['git', 'ls-files', '-co', '--exclude-standard', '-z']
  const listed = Bun.spawnSync(command, { cwd: root })
  if (listed.exitCode === 0) return listed.stdout.toString().split('\0')
  const made = /(^|\/)(node_modules|dist[^/]*|test-results|playwright-report)\//
  const found = [...new Bun.Glob('**/*').scanSync({ cwd: root })]
  return found.filter(name => !made.test(name))
}

function readAll(): File[] {
  const isText = /\.(tsx?|mjs|astro|md|mdx|json|yaml|yml|sql|css|toml|lock|sh|py|conf|txt)$/
  return listFiles()
    .filter(name => isText.test(name) || /(^|\/)(Dockerfile|Caddyfile|run)$/.test(name))
    .filter(name => !name.includes('/generated/') && existsSync(path.join(root, name)))
    .map(name => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }))
}

const files = readAll()
for (const rule of rules) {
  const check = () => expect(files.flatMap(file => rule.check(file, files))).toEqual([])
  // Checking every word takes seconds, or minutes on a busy machine.
  test(rule.name, check, 600_000)
}

test('documents: computed parts are current; run npm run generate', () => {
  for (const { file, found, wanted } of documents()) expect([file, found]).toEqual([file, wanted])
})

test('owners: every listed file exists', () => {
  const listed = Object.values(owners).flat()
  expect(listed.filter(name => !files.some(file => file.path === name))).toEqual([])
})

/** Subjects up to this commit stay as they are, because history doesn't change. */
const lastUnread = 'bda2e515'

test('commits: a subject is "area: what changes", in this repository’s words', () => {
  expect(faultySubjects(logSince(lastUnread))).toEqual([])
})

test('commits: a subject has at most 72 characters', () => {
  const subjects = subjectsOfCode(logSince(lastUnread))
  expect(subjects.filter(subject => subject.length > 72)).toEqual([])
})

/** A shallow clone or an unpacked archive has no history to check. */
function logSince(commit: string): string {
  const log = ['git', 'log', '--no-merges', '--format=%x00%s', '--name-only', `${commit}..HEAD`]
  const listed = Bun.spawnSync(log, { cwd: root })
  return listed.exitCode === 0 ? listed.stdout.toString() : ''
}

/** Commit subjects in a log with file names. Commits that change only content are left out, because
 *  editors can write any subject. */
function subjectsOfCode(log: string): string[] {
  return log.split('\0').flatMap(commit => {
    const [subject = '', ...paths] = commit.split('\n').filter(Boolean)
    const isEdit = paths.length > 0 && paths.every(name => name.startsWith('content/'))
    return subject === '' || isEdit ? [] : [subject]
  })
}

const faultySubjects = (log: string) =>
  subjectsOfCode(log).filter(
    subject =>
      !/^[a-z][\w,/ .-]*: \S/.test(subject) || refusedIn('.git/subject', subject)[0] !== undefined,
  )

test('commits: an editor may write any subject, but a code change may not', () => {
  const log = (...paths: string[]) => `\0Say it in fewer words\n\n${paths.join('\n')}\n`
  expect(faultySubjects(log('content/articles/a.md', 'content/gone.yaml'))).toEqual([])
  expect(faultySubjects(log('content/articles/a.md', 'site/a.ts'))).toHaveLength(1)
  expect(faultySubjects(log())).toHaveLength(1)
})

test('rules: each refuses exactly what it should', () => {
  for (const [name, text, allowed] of samples) {
    const file = { path: name, text }
    const found = rules.flatMap(rule => rule.check(file, [file]))
    expect([name, text, found.length === 0]).toEqual([name, text, allowed])
  }
})

test('circles: no folder imports itself through its neighbors; move shared code below both', () => {
  const code = files.filter(({ path: name }) => isCode(name) && !isTest(name) && !isTesting(name))
  expect(code.length).toBeGreaterThan(100)
  const targets = code.map(file => [file.path, imports(file).map(each => each.target)] as const)
  expect(folderCirclesOf(new Map(targets))).toEqual([])
  for (const [sample, circles] of folderSamples) {
    expect([sample, folderCirclesOf(new Map(Object.entries(sample)))]).toEqual([sample, circles])
  }
})
