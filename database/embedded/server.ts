// Runs the npm-packaged PostgreSQL while this process needs it, and restarts it when it dies.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { LaunchError } from '../launch-error.ts'
import { waitForLock } from '../lock.ts'
import { giveTo, prepareNative, type Native } from './native.ts'
import {
  claimPidFile,
  freePort,
  isFree,
  isRunning,
  readPidFile,
  realFolder,
  runToEnd,
  stopProcess,
} from './postmaster.ts'

type EmbeddedOptions = {
  /** The data directory; its lock, port and log file are beside it. */
  dir: string
  /** The superuser's password; fixed when the data directory is created. */
  password: string
  /** Receives the reason when a restart failed. */
  log?: (line: string) => void
  /** False only in tests: without fsync, a power failure may destroy the data. */
  durable?: boolean
  settings?: Record<string, string>
  /** A folder to which the write-ahead log is archived, at least once a minute. */
  archive?: string | undefined
  /** How long a start may take; a restore may replay its log for hours. */
  readySeconds?: number
  /** False: the server keeps running when this process ends, and the next process reuses it. */
  watch?: boolean
  onChange?: (change: 'died' | 'returned' | 'lost') => void
}

export type Embedded = {
  /** The address of the superuser, who owns the database. */
  url: string
  port: number
  readonly pid: number
  /** True when a server was already running, left by a process that was killed. */
  reused: boolean
  stop(): Promise<void>
}

const superuser = 'app'
const database = 'app'
const startSecondsMax = 60
const returnAttemptsMax = 12
const logBytesMax = 10 * 1024 * 1024

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(path.dirname(path.resolve(options.dir)), { recursive: true })
  const dir = realFolder(options.dir)
  const lock = await waitForLock(`${dir}.lock`, startSecondsMax)
  if (lock === undefined) {
    throw new LaunchError(
      `Another process has been starting PostgreSQL in ${dir} for a minute. Wait for it, or end it.`,
    )
  }
  try {
    const native = await prepareNative(dir)
    await initialize(dir, native, options)
    if (options.archive !== undefined) {
      await mkdir(options.archive, { recursive: true, mode: 0o700 })
      await giveTo(native.account, options.archive)
    }
    const orphan = runningServer(dir)
    const port = orphan === undefined ? await choosePort(dir) : orphan.port
    const server = { dir, native, options, port }
    const started = orphan ?? (await launch(server))
    await untilReady(dir, started, options.readySeconds)
    const url = await ensureDatabase(server)
    return keep(server, started.pid, url, orphan !== undefined)
  } finally {
    lock.release()
  }
}

type Server = { dir: string; native: Native; options: EmbeddedOptions; port: number }

/** * Creates the data directory if there is none: under another name first, so that an interrupted
 *  start leaves no incomplete one. */
async function initialize(dir: string, native: Native, options: EmbeddedOptions): Promise<void> {
  const version = path.join(dir, 'PG_VERSION')
  if (existsSync(version)) {
    const owner = statSync(dir).uid
    const us = native.account?.uid ?? process.getuid?.()
    if (us !== undefined && owner !== us) {
      throw new LaunchError(
        `${dir} belongs to account ${owner}, and PostgreSQL would run as account ${us}. Start as the account that created it, or set DATA_DIR to another folder.`,
      )
    }
    const found = readFileSync(version, 'utf8').trim()
    if (found === native.major) return
    throw new LaunchError(
      `${dir} was made by PostgreSQL ${found}, and this is PostgreSQL ${native.major}. Set DATA_DIR to another folder, or dump the data with the old version and load it here.`,
    )
  }
  const unfinished = `${dir}.new`
  const passwordFile = `${dir}.password`
  await rm(unfinished, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(native.account, unfinished)
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  await giveTo(native.account, passwordFile)
  const args = ['-D', unfinished, '-U', superuser, '--pwfile', passwordFile, '-E', 'UTF8'].concat(
    // The built-in locale provider sorts the same on every machine and needs no system locale.
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
    ['-A', 'scram-sha-256', ...(options.durable === false ? ['--no-sync'] : [])],
  )
  const ended = await runToEnd(native.command('initdb', args), native.options)
  await rm(passwordFile, { force: true })
  if (ended.code !== 0) {
    throw new LaunchError(`PostgreSQL could not create its data directory: ${ended.output.trim()}`)
  }
  await rename(unfinished, dir)
}

/** Keeps the port from one start to the next, so that open prompts and tools can reconnect. */
async function choosePort(dir: string): Promise<number> {
  const file = `${dir}.port`
  const remembered = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (remembered > 0 && (await isFree(remembered))) return remembered
  const port = await freePort()
  await writeFile(file, String(port))
  return port
}

type Started = { pid: number; isAlive: () => boolean }

/** A server that a killed process left running, or that another process has just restarted. */
function runningServer(dir: string): (Started & { port: number }) | undefined {
  const file = readPidFile(dir)
  if (file === undefined || !isRunning(file.pid, dir)) return undefined
  return { pid: file.pid, port: file.port, isAlive: () => isRunning(file.pid, dir) }
}

async function launch({ dir, native, options, port }: Server): Promise<Started> {
  const file = `${dir}.log`
  if (existsSync(file) && statSync(file).size > logBytesMax) await rename(file, `${file}.1`)
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // Clients connect by TCP; a socket's path would be too long in a deeply nested checkout.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    log_line_prefix: '%m [%p] ',
    ...(options.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
    ...(options.archive === undefined ? {} : archiving(options.archive)),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  claimPidFile(dir)
  const output = await open(file, 'a', 0o600)
  try {
    const [program, args] = native.command('postgres', ['-D', dir, ...flags])
    const child = spawn(program, args, {
      ...native.options,
      // Its own process group, so that Ctrl-C does not end it before this process has drained. Its
      // own log file, because a pipe would break when this process is killed, and the server
      // survives.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    child.unref()
    if (child.pid === undefined) throw new LaunchError(`${program} could not be started.`)
    // Before exec the child has another command line, so its exit state is checked instead.
    return { pid: child.pid, isAlive: () => child.exitCode === null && child.signalCode === null }
  } finally {
    await output.close()
  }
}

/**
 * A segment gets its name in the archive only when it is complete. One that exists already, after a
 * crash, must be identical: a file in the archive is never replaced by another one.
 */
const archiving = (folder: string): Record<string, string> => {
  const file = `"${path.resolve(folder)}/%f"`
  const part = `"${path.resolve(folder)}/%f.part"`
  const copied = `cp "%p" ${part} && sync ${part} && mv ${part} ${file}`
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `if test -f ${file}; then cmp -s "%p" ${file}; else ${copied}; fi`,
  }
}

async function untilReady(
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
        `PostgreSQL ended while starting. The last error in its log: ${lastError(dir)}`,
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

async function ensureDatabase({ dir, port, options }: Server): Promise<string> {
  const address = `postgres://${superuser}:${encodeURIComponent(options.password)}@127.0.0.1:${port}`
  await using sql = new SQL(`${address}/postgres`, { max: 1 })
  const found = await sql`select from pg_database where datname = ${database}`.catch(
    (error: unknown) => {
      const refused = error instanceof SQL.PostgresError && error.errno === '28P01'
      if (!refused) throw error
      throw new LaunchError(
        `The password must be the one with which ${dir} was created. Put the old secrets.json back, or remove ${dir} to start with an empty database.`,
      )
    },
  )
  if (found.length === 0) await sql.unsafe(`create database ${database}`)
  return `${address}/${database}`
}

/** Watches the server, and restarts one that died on the same port, so that pools reconnect. */
function keep(server: Server, firstPid: number, url: string, reused: boolean): Embedded {
  const { dir, options, port } = server
  let pid = firstPid
  let stopping = false
  let returning: Promise<void> = Promise.resolve()
  const check = () => {
    if (stopping || isRunning(pid, dir)) return
    clearInterval(timer)
    options.onChange?.('died')
    returning = restart(server, () => stopping).then(found => {
      if (found === undefined) return options.onChange?.('lost')
      pid = found
      timer = watch()
      return options.onChange?.('returned')
    })
  }
  const watch = () => (options.watch === false ? undefined : setInterval(check, 100).unref())
  let timer = watch()
  return {
    url,
    port,
    reused,
    get pid() {
      return pid
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await returning
      await stopProcess(pid, dir)
    },
  }
}

/** Tries several times: the dead server's children hold its shared memory until they notice. */
async function restart(server: Server, isStopping: () => boolean): Promise<number | undefined> {
  for (let attempt = 0; attempt < returnAttemptsMax && !isStopping(); attempt++) {
    await Bun.sleep(Math.min(2000, 50 * 2 ** attempt))
    const lock = await waitForLock(`${server.dir}.lock`, startSecondsMax)
    try {
      const started = runningServer(server.dir) ?? (await launch(server))
      await untilReady(server.dir, started)
      return started.pid
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error
      server.options.log?.(error.message)
    } finally {
      lock?.release()
    }
  }
  return undefined
}
