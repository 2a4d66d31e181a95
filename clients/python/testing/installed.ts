// The Python library as people install it: its wheel in its own environment, offline.

import { afterAll, expect } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPython, packPython } from '../pack.ts'

const library = path.join(import.meta.dir, '..')
const versions = process.env['PYTHON_VERSIONS']?.split(' ')
const names = versions?.map(version => `python${version}`) ?? ['python3', 'python']
const canInstall = (python: string) =>
  Bun.spawnSync([python, '-c', 'import pip, venv']).exitCode === 0
const usable = names.filter(name => findPython([name]) !== null && canInstall(name))
export const found = usable[0] ?? null
if (found === null) {
  console.log('The Python library was not tested: there is no Python 3.9 with pip and venv here.')
}

/** The Pythons to test with. */
export const pythons = versions ? names : [found ?? 'python3']
export const isUsable = (python: string): boolean => usable.includes(python)

/** Python blocks from the documents, as `file:line` and text. */
export function examples(): [string, string][] {
  return ['README.md', '../../content/docs/sdks.md'].flatMap(name => {
    const text = readFileSync(path.join(library, name), 'utf8')
    return [...text.matchAll(/^```python\n([^]*?)^```$/gm)].map((block): [string, string] => [
      `${path.basename(name)}:${text.slice(0, block.index).split('\n').length}`,
      block[1] ?? '',
    ])
  })
}

/** `text` is everything that a program printed; `out` and `err` are its parts. */
export type Ran = {
  readonly code: number
  readonly text: string
  readonly out: string
  readonly err: string
}

export async function run(command: string[], env: Record<string, string> = {}): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC|PYTHON)/.test(name))
  const child = Bun.spawn(command, {
    cwd: library,
    env: { ...(Object.fromEntries(inherited) as Record<string, string>), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, text: out + err, out, err }
}

/** Installs the wheel into a separate environment, once for each Python. */
export function useInstalls(): (python: string) => Promise<string> {
  const environments = mkdtempSync(path.join(tmpdir(), 'python-'))
  afterAll(() => rmSync(environments, { recursive: true, force: true }))
  const installed = new Map<string, Promise<string>>()
  return python => {
    const made = installed.get(python) ?? environment(python, environments)
    installed.set(python, made)
    return made
  }
}

async function environment(python: string, environments: string): Promise<string> {
  const own = path.join(environments, python)
  const [wheel] = packPython(python, environments)
  const made = await run([python, '-m', 'venv', '--without-pip', own])
  expect(made).toMatchObject({ code: 0, text: '' })
  const inside = path.join(own, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const options = ['--no-index', '--quiet', '--disable-pip-version-check']
  const pip = await run([python, '-m', 'pip', '--python', own, 'install', ...options, wheel])
  expect(pip.code, pip.text).toBe(0)
  return inside
}
