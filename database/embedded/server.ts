// Runs the npm-packaged PostgreSQL for as long as this process uses it.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { LaunchError } from '../launch-error.ts'
import { waitForLock } from '../lock.ts'
import { keep } from './keep.ts'
import { launch, runningServer, type ServerSettings, untilReady } from './launch.ts'
import { giveTo, prepareNative, type Native } from './native.ts'
import { freePort, isFree, realFolder, runToEnd } from './postmaster.ts'

export type EmbeddedOptions = ServerSettings & {
  /** The data directory. The directory's lock, port and log file are next to it. */
  dir: string
  /** The superuser's password, fixed when the data directory is created. */
  password: string
  /** Called with the reason for a failed restart, once per reason. */
  log?: (line: string) => void
  /** How long startup may take. A restore may replay its log for hours. */
  readySeconds?: number
  /** If false, the server keeps running when this process ends, and the next process reuses it. */
  watch?: boolean
  /** Additional environment variables for PostgreSQL's programs. */
  environment?: Readonly<Record<string, string>>
  /** Whether to reserve disk space so the server can recover when the disk is full. */
  ballast?: boolean
  /** Waits between two attempts to restart a server. */
  pause?: (milliseconds: number) => Promise<unknown>
  onChange?: (change: 'died' | 'returned') => void
}

export type Embedded = {
  /** The URL for the superuser, who owns the database. */
  url: string
  port: number
  readonly pid: number
  /** True if a killed process had left the server running. */
  reused: boolean
  stop(): Promise<void>
}

const superuser = 'app'
const database = 'app'
const startSecondsMax = 60

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(path.dirname(path.resolve(options.dir)), { recursive: true })
  const dir = realFolder(options.dir)
  const lock = await waitForLock(`${dir}.lock`, startSecondsMax)
  if (lock === undefined) {
    throw new LaunchError(
      `Another process has been starting PostgreSQL in ${dir} for a minute. Wait for it, or stop it.`,
    )
  }
  try {
    const native = await prepareNative(dir, options.environment)
    await initialize(dir, native, options)
    if (options.archive !== undefined) {
      await mkdir(options.archive, { recursive: true, mode: 0o700 })
      await giveTo(native.account, options.archive)
    }
    const orphan = runningServer(dir)
    const port = orphan === undefined ? await choosePort(dir) : orphan.port
    const server = { dir, native, settings: options, port }
    const started = orphan ?? (await launch(server))
    await untilReady(dir, started, options.readySeconds)
    const url = await ensureDatabase(dir, port, options.password)
    return Object.assign(keep(server, started.pid, options), {
      url,
      port,
      reused: orphan !== undefined,
    })
  } finally {
    lock.release()
  }
}

/** Creates the data directory if it's missing, under another name first, so an interrupted start
 *  leaves no incomplete one. */
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
      `${dir} was created by PostgreSQL ${found}, and this is PostgreSQL ${native.major}. Set DATA_DIR to another folder, or start the release that created it.`,
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
    // The built-in locale provider sorts the same on every machine and requires no system locale.
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

/** Keeps the same port across starts, so open prompts and tools can reconnect. */
async function choosePort(dir: string): Promise<number> {
  const file = `${dir}.port`
  const remembered = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (remembered > 0 && (await isFree(remembered))) return remembered
  const port = await freePort()
  await writeFile(file, String(port))
  return port
}

async function ensureDatabase(dir: string, port: number, password: string): Promise<string> {
  const address = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}`
  await using sql = new SQL(`${address}/postgres`, { max: 1 })
  const found = await sql`select from pg_database where datname = ${database}`.catch(
    (error: unknown) => {
      const refused = error instanceof SQL.PostgresError && error.errno === '28P01'
      if (!refused) throw error
      throw new LaunchError(
        `The password must be the one ${dir} was created with. Restore the old secrets.json, or remove ${dir} to start with an empty database.`,
      )
    },
  )
  if (found.length === 0) await sql.unsafe(`create database ${database}`)
  return `${address}/${database}`
}
