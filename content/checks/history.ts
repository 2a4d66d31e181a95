import { at } from './frontmatter.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Finding } from '../finding.ts'
import { dayMilliseconds } from '#contract/moments.ts'

/** The days of a file's first and last commit. */
export type Committed = { first: string; last: string }

/** Each content file's commits; empty without the full history. */
export async function committedDays(root: string): Promise<Map<string, Committed>> {
  const run = async (...args: string[]) => {
    const child = Bun.spawn(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'ignore' })
    const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
    return code === 0 ? out : undefined
  }
  // A shallow clone's first commit isn't the file's first commit.
  const isShallow = await run('rev-parse', '--is-shallow-repository')
  if (isShallow?.trim() !== 'false') return new Map()
  const log = await run('log', '--format=%x00%cs', '--name-status', '-M', '--', 'content')
  return daysIn(log ?? '')
}

/** Reads a log from the newest commit to the oldest, so renamed files are followed. */
export function daysIn(log: string): Map<string, Committed> {
  const days = new Map<string, Committed>()
  const names = new Map<string, string>()
  for (const commit of log.split('\0').slice(1)) {
    const [day = '', ...lines] = commit.split('\n').filter(Boolean)
    for (const line of lines) {
      const [, before = '', after = before] = line.split('\t')
      const name = names.get(after) ?? after
      names.set(before, name)
      days.set(name, { first: day, last: days.get(name)?.last ?? day })
    }
  }
  return days
}

/** Reports a page that is dated before its first commit or was changed after `updated`. */
export function checkHistory(entry: Entry, committed: ReadonlyMap<string, Committed>): Finding[] {
  const commits = committed.get(entry.path)
  if (commits === undefined) return []
  const { first, last } = commits
  const found = (key: string, rule: string, message: string, fix: string): Finding[] => [
    { path: entry.path, ...at(entry, [key]), rule, message, fix, level: 'warning' },
  ]
  // One day of leeway, because commits and pages may use different time zones.
  const isBefore = (one: string, other: string) =>
    Date.parse(other) - Date.parse(one) > dayMilliseconds
  const early = ['published', 'reviewed_on'].flatMap(key => {
    const value = valueOf(entry, key)
    if (typeof value !== 'string' || !isBefore(value, first)) return []
    const message = `${key} must not be ${value}: the file was first committed on ${first}`
    return found(key, 'F-first', message, `write ${first}, or the actual date`)
  })
  const updated = valueOf(entry, 'updated')
  if (typeof updated !== 'string' || !isBefore(updated, last)) return early
  const message = `updated must not be ${updated}: the file was changed on ${last}`
  const fix = `write ${last}, if the meaning changed`
  return [...early, ...found('updated', 'F-committed', message, fix)]
}
