// Starts a PostgreSQL server process and waits until it's ready.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { LaunchError } from '../launch-error.ts'
import { archiving } from './archiving.ts'
import type { Native } from './native.ts'
import { claimPidFile, isRunning, readPidFile } from './postmaster.ts'

export type ServerSettings = {
  /** False only in tests: without fsync, a power failure may destroy the data. */
  durable?: boolean
  settings?: Record<string, string>
  /** A folder where the write-ahead log is archived, at least once a minute. */
  archive?: string | undefined
}

export type Server = { dir: string; native: Native; settings: ServerSettings; port: number }

const startSecondsMax = 60
const logBytesMax = 10 * 1024 * 1024

type Started = { pid: number; isAlive: () => boolean }

/** Finds a server that a killed process left running, or that another process just restarted. */
export function runningServer(dir: string): (Started & { port: number }) | undefined {
  const file = readPidFile(dir)
  if (file === undefined || !isRunning(file.pid, dir)) return undefined
  return { pid: file.pid, port: file.port, isAlive: () => isRunning(file.pid, dir) }
}

export async function launch({ dir, native, settings: given, port }: Server): Promise<Started> {
  const file = `${dir}.log`
  if (existsSync(file) && statSync(file).size > logBytesMax) await rename(file, `${file}.1`)
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // Clients connect over TCP, because in a deeply nested checkout a socket's path would be too
    // long.
    unix_socket_directories: '',
    // Enough for three gateways and a few workers (gateway/processes/connections.ts).
    max_connections: '300',
    shared_buffers: '128MB',
    log_line_prefix: '%m [%p] ',
    ...(given.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
    ...(given.archive === undefined ? {} : archiving(given.archive)),
    ...given.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  claimPidFile(dir)
  const output = await open(file, 'a', 0o600)
  try {
    const [program, args] = native.command('postgres', ['-D', dir, ...flags])
    const child = spawn(program, args, {
      ...native.options,
      // The server gets its own process group, so Ctrl-C doesn't end it before this process has
      // drained. The server gets its own log file, because a pipe would break if this process were
      // killed and the server survived.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    child.unref()
    if (child.pid === undefined) throw new LaunchError(`${program} could not be started.`)
    // Until exec, the child has another command line, so the check is whether the child has exited.
    return { pid: child.pid, isAlive: () => child.exitCode === null && child.signalCode === null }
  } finally {
    await output.close()
  }
}

export async function untilReady(
  dir: string,
  { pid, isAlive }: Started,
  seconds = startSecondsMax,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (performance.now() < deadline) {
    const file = readPidFile(dir)
    if (file?.pid === pid && file.status === 'ready') return
    if (!isAlive()) {
      throw new LaunchError(
        `PostgreSQL exited during startup. The last error in its log: ${lastError(dir)}`,
      )
    }
    await Bun.sleep(10)
  }
  throw new LaunchError(`PostgreSQL was not ready after ${seconds} s; see ${dir}.log.`)
}

function lastError(dir: string): string {
  const lines = readFileSync(`${dir}.log`, 'utf8').trim().split('\n')
  const fatal = lines.slice(-20).findLast(line => /FATAL|PANIC|ERROR/.test(line))
  return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '')
}
