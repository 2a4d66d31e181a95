// A benchmark's server processes. The processes are started with their own environment, identified
// by port and process ID, and always stopped.
import { existsSync, openSync, statSync, truncateSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import { findProgram } from './machine.ts'
import type { SiteGatewaySettings } from './gateway.ts'

export type Server = {
  port: number
  pid: number
  /** Milliseconds from process start to first response. */
  opened: number
  stop(): Promise<void>
}

const root = path.join(import.meta.dir, '../..')
export const dataDir = path.join(root, '.data', 'bench')
const openSecondsMax = 30
/** The time limit is long, because the first start creates a database. */
const firstSecondsMax = 120
const stopSecondsMax = 10
const logBytesMax = 64 * 1024 * 1024

type Starting = {
  command: string[]
  port: number
  path?: string
  env?: Record<string, string>
  input?: string
  secondsMax?: number
}

/** Stops the processes of a killed benchmark: this script's standard input closes, no matter how
 *  the benchmark was killed. */
const supervisorScript = `trap '' INT TERM HUP
all=
while read -r what pid; do
  rest=
  for one in $all; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  all=$rest
  [ "$what" = end ] || all="$all $pid"
done
for one in $all; do kill -INT "$one"; done`

let supervisor: Bun.FileSink | undefined

/**
 * Stops a process when the current process exits. The caller calls the returned function once the
 * process has exited on its own.
 */
export function endWithParent(pid: number): () => void {
  if (supervisor === undefined) {
    const child = Bun.spawn(['sh', '-c', supervisorScript], { stdin: 'pipe', stdout: 'ignore' })
    child.unref()
    supervisor = child.stdin
  }
  const notify = (what: string) => {
    void supervisor?.write(`${what} ${pid}\n`)
    void supervisor?.flush()
  }
  notify('start')
  return () => notify('end')
}

/** Starts a process and waits for its first response. Its output goes to a file, as in
 *  production. */
export async function startServer(starting: Starting): Promise<Server> {
  await mkdir(dataDir, { recursive: true })
  const file = path.join(dataDir, 'server.log')
  // A million requests log hundreds of megabytes, and only the last start's lines are useful.
  if (existsSync(file) && statSync(file).size > logBytesMax) truncateSync(file)
  const output = openSync(file, 'a', 0o600)
  const began = performance.now()
  const child = Bun.spawn(starting.command, {
    cwd: root,
    ...(starting.env ? { env: starting.env } : {}),
    stdin: starting.input === undefined ? 'ignore' : new Blob([starting.input]),
    stdout: output,
    stderr: output,
  })
  const forget = endWithParent(child.pid)
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopSecondsMax * 1000)
    await child.exited
    clearTimeout(timer)
    forget()
  }
  const hasExited = () => child.exitCode !== null
  const { path: at = '/', secondsMax = openSecondsMax } = starting
  if (!(await responds(`http://127.0.0.1:${starting.port}${at}`, hasExited, secondsMax))) {
    await stop()
    throw new Error(`${starting.command.join(' ')} did not open its port; see ${file}.`)
  }
  return { port: starting.port, pid: child.pid, opened: performance.now() - began, stop }
}

async function responds(
  url: string,
  hasExited: () => boolean,
  secondsMax: number,
): Promise<boolean> {
  const deadline = performance.now() + secondsMax * 1000
  while (performance.now() < deadline && !hasExited()) {
    const response = await fetch(url).catch(() => null)
    if (response) {
      await response.arrayBuffer()
      return true
    }
    await Bun.sleep(2)
  }
  return false
}

/** A URL for a benchmark's endpoints. No server listens there, and no worker calls it. */
export const receiver = 'https://127.0.0.1:8443/clinical'

export type GatewaySettings = { databaseUrl: string; home: string }

/** Free ports for the other modules, which no benchmark calls. */
const anyOtherPorts = { AUTH_PORT: '0', MCP_PORT: '0', PORTAL_PORT: '0', CONSOLE_PORT: '0' }

/** The gateway as in production, on a migrated database, with the default pool and caches. Only the
 *  rate limit is raised. */
export async function startGateway({ databaseUrl, home }: GatewaySettings): Promise<Server> {
  const port = await freePort()
  return startServer({
    command: [process.execPath, 'gateway/server/main.ts'],
    port,
    env: {
      PORT: String(port),
      ...anyOtherPorts,
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: databaseUrl,
      DATA_DIR: home,
      LOG_FORMAT: 'json',
      RATE_LIMIT_REQUESTS: '10000000',
      WEBHOOK_ALLOW: '127.0.0.1',
    },
  })
}

/** `npm start` without npm, in a separate data folder that is kept. */
export async function startPlatform(): Promise<Server> {
  const port = await freePort()
  return startServer({
    command: [findProgram('node') ?? 'node', 'deploy/start.mjs'],
    port,
    secondsMax: firstSecondsMax,
    env: {
      PORT: String(port),
      ...anyOtherPorts,
      DATA_DIR: path.join(dataDir, 'platform'),
    },
  })
}

/** The worker as in production, alongside a gateway on the same database. */
export async function startWorker({ databaseUrl, home }: GatewaySettings): Promise<Server> {
  const port = await freePort()
  return startServer({
    command: [process.execPath, 'gateway/commands/worker.ts'],
    port,
    env: {
      WORKER_METRICS_PORT: String(port),
      ...anyOtherPorts,
      DATABASE_URL: databaseUrl,
      DATA_DIR: home,
      LOG_FORMAT: 'json',
      WEBHOOK_ALLOW: '127.0.0.1',
    },
  })
}

const noDatabase = 'postgres://none@127.0.0.1:9/none'

/** The gateway with the benchmark's own site. Without database URLs, clinical paths fail. */
export async function startSiteGateway(
  settings: Pick<SiteGatewaySettings, 'site'> & Partial<SiteGatewaySettings>,
): Promise<Server> {
  const port = await freePort()
  const whole: SiteGatewaySettings = {
    urls: { test: noDatabase, live: noDatabase },
    pepper: '',
    poolSize: 10,
    rateLimit: 10_000_000,
    ...settings,
    port,
  }
  const command = [process.execPath, path.join(import.meta.dir, 'gateway.ts')]
  return startServer({ command, port, input: JSON.stringify(whole) })
}

/** Creates a folder, and removes it after the work is done. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs `work`, then closes everything that it opened, last first, even if opening something
 *  failed. */
export async function withClosers<T>(
  work: (onClose: (close: () => Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await work(close => void closers.push(close))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
