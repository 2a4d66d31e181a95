// Facts about the machine and its processes. CPU time doesn't depend on other processes' load, and
// shows if one side was fast only because another process did the work.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'
import type { SQL } from 'bun'

const root = path.join(import.meta.dir, '../..')
/** The kernel counts in hundredths of a second on every platform with /proc. */
const microsecondsPerTick = 10_000

type Times = { parent: number; own: number; reaped: number }

/** Reads the fields after the name, because the name may contain spaces and parentheses; see
 *  proc(5). */
function timesOf(pid: number | string): Times | undefined {
  const text = readProc(`/proc/${pid}/stat`)
  if (text === '') return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (index: number) => Number(fields[index])
  return { parent: field(1), own: field(11) + field(12), reaped: field(13) + field(14) }
}

/** A process may exit between being listed and being read. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** CPU microseconds that a process has used; NaN on a machine without /proc. */
export const processorTime = (pid: number): number =>
  (timesOf(pid)?.own ?? Number.NaN) * microsecondsPerTick

/** CPU microseconds for a process, its children and exited children, such as all of PostgreSQL. */
export function processorTimeOfTree(pid: number | undefined): number {
  const root = pid === undefined ? undefined : timesOf(pid)
  if (root === undefined) return Number.NaN
  let ticks = root.own + root.reaped
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const times = timesOf(name)
    if (times?.parent === pid) ticks += (times?.own ?? 0) + (times?.reaped ?? 0)
  }
  return ticks * microsecondsPerTick
}

/** Resident megabytes; NaN on a machine without /proc. */
export function residentMegabytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`))
  return Number(found?.[1] ?? Number.NaN) / 1024
}

const settingsShown = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers']

/** PostgreSQL's version and durability settings, as the server reports them. */
export async function describePostgres(sql: SQL): Promise<string> {
  const [{ version }] = await sql`select current_setting('server_version') as version`
  const rows = await sql.unsafe(
    `select name, current_setting(name) as setting from pg_settings
      where name = any(string_to_array($1, ' ')) order by 1`,
    [settingsShown.join(' ')],
  )
  const settings = rows.map(
    ({ name, setting }: { name: string; setting: string }) => `${name}=${setting}`,
  )
  return `PostgreSQL ${version} (${settings.join(' ')})`
}

export function describeMachine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const parts = [`${availableParallelism()} cores`, memory, `${process.platform}-${process.arch}`]
  return [...parts, `Bun ${Bun.version}`, `commit ${commit()}`].join(', ')
}

export function commit(): string {
  if (!existsSync(path.join(root, '.git'))) return 'unknown'
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: root, stderr: 'ignore' })
      .stdout.toString()
      .trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
}

/** An installed program's path, or null. Some programs are only on root's PATH. */
export const findProgram = (name: string): string | null =>
  Bun.which(name) ?? Bun.which(name, { PATH: '/usr/sbin:/usr/local/sbin:/sbin' })
