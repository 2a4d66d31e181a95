// Runs every command in the documents in the fresh checkout, as a new user's shell does: with npm
// and Node on the PATH, and without Bun. Commands that start a server, take long or change the
// machine run with `--help` instead.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { openShell, typed } from './guides/run.ts'
import { newcomer, root } from './servers.ts'

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'content/README.md',
  'deploy/README.md',
  'deploy/publish/README.md',
  'deploy/one-machine/README.md',
  'deploy/observe/README.md',
  'bench/README.md',
  'clients/README.md',
  'e2e/README.md',
  'mutate/README.md',
]

const shaped = /^(?:[A-Z][A-Z_]*=(?:"[^"]*"|\S+) )*(?:npm (?:start|test|run)|node deploy\/run)\b/

/** A document's commands, from inline code and shell blocks. */
function commandsOf(document: string): string[] {
  const text = readFileSync(path.join(root, document), 'utf8').replace(/(?:\\|(?<=&&))\n\s*/g, ' ')
  const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(found => found[1] ?? '')
  const lines = blocks.flatMap(block => block.split('\n').map(line => line.replace(/\s+#.*$/, '')))
  const inline = text.replace(/^ *```[^]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g)
  const spans = [...inline].map(found => (found[1] ?? '').replace(/\s+/g, ' '))
  return [...lines, ...spans].map(line => line.trim()).filter(line => shaped.test(line))
}

/**
 * These commands run only with `--help`, because other tests cover them or no test should run them.
 */
const notTyped = [
  /…|<|\[/, // a placeholder for one of the reader's values
  /npm (?:start|test)\b|npm run (?:dev|site|check|test:\w+)\b|server\/main\.ts/, // starts a server
  /npm run (?:bench|lighthouse|proof)\b|mutate(?!.*--list)/, // takes long
  /npm run pack$|npm run pack -- (?:typescript|cli|platform|release)\b/, // a guide or clients/release.test.ts packs these
  /\b(?:backup|restore|emergency|sudo|caddy)\b|--(?:new-pepper|external)\b/, // changes the machine, or prompts
  /\b(?:vacuum|developers|agreement|rotate|approve|invite|clinic|record)\b/,
  /\bcodes load\b/, // needs a file that the reader downloads
  /\baudit verify --head\b|\b(?:new|old|head)=|KEY_PEPPER=|DATA_DIR=|DATABASE_URL=/,
]

/** Removes the files that `npm run new` created. */
const undo = 'git clean -fq content && git checkout --quiet .github content/changelog.md'

/** The same command with `--help`, without the parts specific to the reader's machine. */
function helpOf(command: string): string {
  const [words = ''] = command.replace(/^(?:[A-Z][A-Z_]*=(?:"[^"]*"|\S+) )+/, '').split(' && ')
  const program =
    /^(?:npm run admin -- [a-z]+|npm run \S+|npm \S+|node \S+ \S+)/.exec(words)?.[0] ?? words
  return `${program} ${/^npm(?!.* -- )/.test(program) ? '-- ' : ''}--help`
}

test('documents: each command works as typed', async () => {
  const who = newcomer()
  test.info().skip(who === undefined, 'a full run has the fresh checkout')
  if (who === undefined) return
  test.setTimeout(600_000)
  const all = documents.flatMap(document => commandsOf(document))
  expect(all.length).toBeGreaterThan(40)
  const commands = new Set(
    all.map(command => (notTyped.some(each => each.test(command)) ? helpOf(command) : command)),
  )
  const shell = openShell(process.env, who, who.folder)
  const faults: string[] = []
  for (const command of commands) {
    const { stdout, stderr, status } = await typed(command, who.folder, shell, who)
    if (command.startsWith('npm run new')) await typed(undo, who.folder, shell, who)
    if (command.includes('/tmp/edge')) await typed('rm -rf /tmp/edge', who.folder, shell, who)
    // The doctor reports problems, because an installation on one machine isn't ready for live
    // mode.
    const isFine = status === 0 || (status === 1 && /\bdoctor\b/.test(command))
    if (!isFine) faults.push(`${command}: ${status}\n${stdout}${stderr}`)
    if (command.endsWith('--help')) expect(stdout, command).not.toBe('')
  }
  expect(faults).toEqual([])
  // The generated files must match the committed files.
  const status = 'git status --short --untracked-files=no'
  const left = await typed(status, who.folder, shell, who)
  expect(left.stdout.replace(/^ M (?:content\/changelog\.md|\.github\/CODEOWNERS)\n/gm, '')).toBe(
    '',
  )
})
