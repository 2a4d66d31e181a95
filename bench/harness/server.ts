// Server processes of a bench: started with an environment of their own, known by their port and
// process id, and always stopped.
import { existsSync, openSync, statSync, truncateSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import type { SiteGatewaySettings } from './gateway.ts'

export type Server = {
  port: number
  pid: number
  /** From the start of the process to its first answer, in milliseconds. */
  opened: number
  stop(): Promise<void>
}

const root = path.join(import.meta.dir, '../..')
export const dataDir = path.join(root, '.data', 'bench')
const openSecondsMax = 30
const stopSecondsMax = 10
const logBytesMax = 64 * 1024 * 1024

type Starting = {
  command: string[]
  port: number
  path?: string
  env?: Record<string, string>
  input?: string
}

/** Ends what a bench leaves behind when it is killed itself, however: its standard input ends
 *  then. */
const warden = `trap '' INT TERM HUP
all=
while read -r what pid; do
  rest=
  for one in $all; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  all=$rest
  [ "$what" = end ] || all="$all $pid"
done
for one in $all; do kill -INT "$one"; done`

let told: Bun.FileSink | undefined

/** Has a process ended with this one. What it returns is called when it has ended by itself. */
export function endWithUs(pid: number): () => void {
  if (told === undefined) {
    const child = Bun.spawn(['sh', '-c', warden], { stdin: 'pipe', stdout: 'ignore' })
    child.unref()
    told = child.stdin
  }
  const tell = (what: string) => {
    void told?.write(`${what} ${pid}\n`)
    void told?.flush()
  }
  tell('start')
  return () => tell('end')
}

/** Starts a process and waits until it answers; what it writes goes to a file, as in production. */
export async function startServer(starting: Starting): Promise<Server> {
  await mkdir(dataDir, { recursive: true })
  const file = path.join(dataDir, 'server.log')
  // A million requests are hundreds of megabytes of lines, and only the last start's are of use.
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
  const isOver = endWithUs(child.pid)
  const stop = async () => {
    child.kill('SIGTERM')
    const patience = setTimeout(() => child.kill('SIGKILL'), stopSecondsMax * 1000)
    await child.exited
    clearTimeout(patience)
    isOver()
  }
  const isDead = () => child.exitCode !== null
  if (!(await answers(`http://127.0.0.1:${starting.port}${starting.path ?? '/'}`, isDead))) {
    await stop()
    throw new Error(`${starting.command.join(' ')} did not open its port; see ${file}.`)
  }
  return { port: starting.port, pid: child.pid, opened: performance.now() - began, stop }
}

async function answers(url: string, isDead: () => boolean): Promise<boolean> {
  const deadline = performance.now() + openSecondsMax * 1000
  while (performance.now() < deadline && !isDead()) {
    const response = await fetch(url).catch(() => null)
    if (response) {
      await response.arrayBuffer()
      return true
    }
    await Bun.sleep(2)
  }
  return false
}

/** An address for endpoints of a bench. Nobody listens there, and no worker of a bench calls it. */
export const receiver = 'https://127.0.0.1:8443/clinical'

export type GatewaySettings = { databaseUrl: string; home: string }

/** The gateway of a production, on a database that is migrated already. Its pool and its cache are
 *  as shipped; only the rate limit is raised. */
export async function startGateway({ databaseUrl, home }: GatewaySettings): Promise<Server> {
  const port = await freePort()
  return startServer({
    command: [process.execPath, 'gateway/server/main.ts'],
    port,
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: home,
      LOG_FORMAT: 'json',
      RATE_LIMIT_REQUESTS: '10000000',
      WEBHOOK_ALLOW: '127.0.0.1',
    },
  })
}

const nowhere = 'postgres://nobody@127.0.0.1:9/nowhere'

/** The front door over a site of the bench's own; without addresses, no clinical path works. */
export async function startSiteGateway(
  settings: Pick<SiteGatewaySettings, 'site'> & Partial<SiteGatewaySettings>,
): Promise<Server> {
  const port = await freePort()
  const whole: SiteGatewaySettings = {
    urls: { test: nowhere, live: nowhere },
    pepper: '',
    poolSize: 10,
    rateLimit: 10_000_000,
    ...settings,
    port,
  }
  const command = [process.execPath, path.join(import.meta.dir, 'gateway.ts')]
  return startServer({ command, port, input: JSON.stringify(whole) })
}

/** A folder that is gone when the work is done. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Undoes what was opened, last first, even when opening the next failed. */
export async function withClosers<T>(
  work: (later: (close: () => Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await work(close => void closers.push(close))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
