// A PostgreSQL server's process, pid file and port.
import { spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import {
  chownSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const stopSecondsMax = 20

/** Reads postmaster.pid: process id, data directory, start time, port, socket folder, address,
 *  shared memory key, status. */
export function readPidFile(
  dir: string,
): { pid: number; port: number; status: string } | undefined {
  const file = path.join(dir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!(pid > 0) || !(port > 0)) return undefined
  return { pid, port, status: (lines[7] ?? '').trim() }
}

/** PostgreSQL refuses to start while any process has the id in its pid file, even an unrelated
 *  process that got the same id later, or its own zombie in a container without an init. The file
 *  can't simply be removed, because it also identifies the shared memory, and that's how
 *  PostgreSQL detects running children. So this function replaces only the id, with this process's:
 *  PostgreSQL accepts its parent's id there. The function writes a new file, because overwriting
 *  the old one on a full disk would leave an empty file, which PostgreSQL also rejects. */
export function claimPidFile(dir: string): void {
  const file = path.join(dir, 'postmaster.pid')
  if (existsSync(file) && statSync(file).size === 0) rmSync(file)
  const found = readPidFile(dir)
  if (found === undefined || isRunning(found.pid, dir)) return
  const { uid, gid } = statSync(file)
  const text = readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid))
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(`${file}.new`, uid, gid)
  renameSync(`${file}.new`, file)
}

/** A folder's real path. A server is identified by its folder, even if links lead to the folder. */
export function realFolder(dir: string): string {
  const whole = path.resolve(dir)
  const parent = path.dirname(whole)
  return existsSync(parent) ? path.join(realpathSync(parent), path.basename(whole)) : whole
}

/** Also checks the command line, because after a restart another process may have the same id. */
export function isRunning(pid: number, dir: string): boolean {
  const file = `/proc/${pid}/cmdline`
  if (process.platform === 'linux') {
    // Empty for a zombie, which has ended but hasn't been collected by its parent.
    return existsSync(file) && readCommandLine(file).includes(realFolder(dir))
  }
  const listed = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return listed.stdout.includes(realFolder(dir))
}

/** The process may end between the check and this read. */
function readCommandLine(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A fast shutdown: ends the sessions and writes everything, without waiting for clients. */
export async function stopProcess(pid: number, dir: string): Promise<void> {
  for (const [signal, seconds] of [['SIGINT', stopSecondsMax] as const, ['SIGQUIT', 5] as const]) {
    if (!isRunning(pid, dir)) return
    process.kill(pid, signal)
    const deadline = performance.now() + seconds * 1000
    while (isRunning(pid, dir) && performance.now() < deadline) await Bun.sleep(10)
  }
}

export async function runToEnd(
  [program, args]: [string, string[]],
  options: SpawnOptions,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise(resolve => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
