// A checkout's files, and which of them get faults.
import path from 'node:path'
import type { Change } from './change.ts'

/** Files that git tracks or would track, except deleted ones. */
export async function listFiles(root: string): Promise<string[]> {
  const listed = await git(root, 'ls-files', '-co', '--exclude-standard', '-z')
  const isThere = await Promise.all(
    listed
      .split('\0')
      .map(async name => name !== '' && (await Bun.file(path.join(root, name)).exists())),
  )
  return listed.split('\0').filter((_, at) => isThere[at])
}

export async function git(root: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(' ')}: ${problem.trim()}`)
  return out
}

/**
 * Files that get no faults, because they aren't platform code, or because they end processes or
 * delete folders, so a fault could do damage elsewhere.
 */
const left = [
  /\.(test|suite|spec|d|config)\.tsx?$/,
  /(^|\/)(testing|generated|standards)\//,
  /^(bench|deploy|e2e|mutate|docs)\//,
  /^database\/(embedded|backup)\//,
  // These files are tested in a browser.
  /^site\/src\/(browser|try|signature)\//,
  /^[^/]+$/,
]

export const getsFaults = (file: string) =>
  /\.tsx?$/.test(file) && !left.some(pattern => pattern.test(file))

/** The files in the given folders, or the given files; all files if none are given. */
export function within(files: readonly string[], chosen: readonly string[]): string[] {
  const wanted = chosen.map(one => path.posix.normalize(one).replace(/\/$/, ''))
  const isWanted = (file: string) =>
    wanted.length === 0 ||
    wanted.some(one => one === '.' || file === one || file.startsWith(`${one}/`))
  return files.filter(file => getsFaults(file) && isWanted(file))
}

export type Lines = readonly [first: number, last: number][]

/** The base of a change: the commit where this branch diverged from `origin/main`, or the previous
 *  commit if the branch has no commits of its own. Undefined in a clone without either. */
export async function defaultBase(root: string): Promise<string | undefined> {
  const commit = async (name: string) =>
    (await git(root, 'rev-list', '--max-count=1', '--ignore-missing', name)).trim()
  const known = (await git(root, 'for-each-ref', '--format=%(objectname)', originMain)).trim()
  const own = known === '' ? '' : await commit(`${known}..HEAD`)
  if (own !== '') return (await git(root, 'merge-base', known, 'HEAD')).trim()
  const [, previous] = (await git(root, 'rev-list', '--max-count=2', 'HEAD')).split('\n')
  return previous === '' ? undefined : previous
}

const originMain = 'refs/remotes/origin/main'

/** Changed lines by file, since this branch diverged from the given commit. */
export async function changedLines(root: string, base: string): Promise<Map<string, Lines>> {
  const from = (await git(root, 'merge-base', base, 'HEAD')).trim()
  return linesOf(await git(root, 'diff', '--unified=0', '--no-color', '--no-ext-diff', from))
}

/** Changed lines by file, from a diff without context. */
export function linesOf(diff: string): Map<string, Lines> {
  const found = new Map<string, [number, number][]>()
  let file = ''
  for (const line of diff.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file
    const [, first, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (first === undefined || count === '0') continue
    const own = found.get(file) ?? []
    found.set(file, [...own, [Number(first), Number(first) + Number(count) - 1]])
  }
  return found
}

/** A fault and its location. `id` stays the same until the file changes. */
export type Fault = Change & { file: string; line: number; before: string; id: string }

export function faultOf(file: string, text: string, change: Change): Fault {
  const { start, end, replacement } = change
  const id = Bun.hash(JSON.stringify([file, text, start, end, replacement])).toString(36)
  const line = text.slice(0, start).split('\n').length
  return { ...change, file, line, before: text.slice(start, end), id }
}
