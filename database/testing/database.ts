// Test support: a database for each test file, cloned from a migrated template. One server without
// fsync serves all test processes, is reused by the next run, and ends after half an hour idle: bun
// database/testing/database.ts start | stop | clean. With TEST_DATABASE_URL, the databases are on
// that server, with `app` as its superuser. deploy/test-postgres.mjs uses that setting to run tests
// on another PostgreSQL.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { startEmbedded } from '../embedded/server.ts'
import { LaunchError } from '../launch-error.ts'
import { waitForLock } from '../lock.ts'
import { migrate, type Migration, onlineJobs, readMigrations } from '../migrate.ts'
import { finishOnlineJobs } from '../online/run.ts'
import { openPool } from '../pool.ts'
import { isRunning, readPidFile, stopProcess } from '../embedded/postmaster.ts'
import { forEachRole, roleName, type RoleUrls } from '../roles.ts'
import { home, makeHome, removeHome, targetOfHome } from './home.ts'
import { endWhenIdle } from './idle.ts'
import { ownDisk } from './small-disk.ts'

export type TestDatabase = {
  /** The URL of the owner, a superuser that no policy or grant restricts. */
  url: string
  /** The roles' URLs, which the platform uses to connect. */
  urls: RoleUrls
  close(): Promise<void>
}

const dir = path.join(home, 'postgres')
const given = process.env['TEST_DATABASE_URL']
const other = given === undefined ? undefined : new URL(given)
let made = 0

/** Applies `migrations`: all of them, unless a test applies the rest itself. */
export async function testDatabase(migrations = readMigrations()): Promise<TestDatabase> {
  const port = runningPort() ?? startAside()
  const template = await ensureTemplate(port, migrations)
  const name = `test_${process.pid}_${++made}_${randomBytes(3).toString('hex')}`
  const admin = administrator(urlOf(port, 'postgres'))
  // Copies files, because the default strategy would also write every template page to the log.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: urlOf(port, name),
    urls: forEachRole(role => urlOf(port, name, roleName(role))),
    close: async () => {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
    },
  }
}

let administrating: { url: string; sql: SQL } | undefined

/** One connection for all of this process's databases. An idle connection doesn't keep the process
 *  running. */
function administrator(url: string): SQL {
  if (administrating?.url !== url) administrating = { url, sql: new SQL(url, { max: 1 }) }
  return administrating.sql
}

function urlOf(port: number, name: string, role = 'app'): string {
  return `postgres://${role}:${password()}@127.0.0.1:${port}/${name}`
}

/** One random password for every role. The password is random because a PostgreSQL superuser can
 *  run programs. */
function password(): string {
  if (other !== undefined) return other.password
  const file = path.join(home, 'password')
  if (!existsSync(file)) {
    makeHome()
    writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8')
}

function runningPort(): number | undefined {
  if (other !== undefined) return Number(other.port)
  const file = readPidFile(dir)
  const serves = file?.status === 'ready' && isRunning(file.pid, dir)
  return serves ? file.port : undefined
}

/** Runs in a separate process, because `bun test` kills the children of a test that timed out. */
function startAside(): number {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, import.meta.path, 'start'])
  const port = runningPort()
  if (exitCode !== 0 || port === undefined) throw new LaunchError(stderr.toString())
  return port
}

async function start(): Promise<void> {
  makeHome()
  const settings = { shared_buffers: '64MB', log_min_messages: 'fatal' }
  const lock = await waitForLock(path.join(home, 'start.lock'), 60)
  try {
    const rest = { durable: false, watch: false, settings, environment: shiftedClock() }
    await startEmbedded({ dir, password: password(), ...rest })
  } finally {
    lock?.release()
  }
  const watcher = [process.execPath, import.meta.path, 'watch']
  Bun.spawn(watcher, { stdio: ['ignore', 'ignore', 'ignore'], detached: true }).unref()
}

/** Passes the clock that `faketime` gives this process on to the server. */
function shiftedClock(): Record<string, string> {
  const names = ['LD_PRELOAD', 'FAKETIME'] as const
  return Object.fromEntries(names.flatMap(name => (Bun.env[name] ? [[name, Bun.env[name]]] : [])))
}

/** Other roles belong to tests that may be running. */
const platformRoles = Object.values(forEachRole(role => `'${roleName(role)}'`)).join(', ')

/** This server's folder exists only while it runs, so another server's lock is elsewhere. */
const templateLock = (port: number) =>
  other === undefined
    ? path.join(home, 'template.lock')
    : path.join(tmpdir(), `template-${port}.lock`)

const jobsFor = (migrations: readonly Migration[]) =>
  migrations.length === readMigrations().length ? onlineJobs() : []

/** Databases with the same migrations share a template. */
export function templateOf(migrations: readonly Migration[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const { name, sha256 } of migrations) hasher.update(`${name} ${sha256}\n`)
  for (const job of jobsFor(migrations)) hasher.update(job.name)
  return `template_${hasher.digest('hex').slice(0, 16)}`
}

async function ensureTemplate(port: number, migrations: readonly Migration[]): Promise<string> {
  const jobs = jobsFor(migrations)
  const name = templateOf(migrations)
  const admin = administrator(urlOf(port, 'postgres'))
  const exists = async () =>
    (await admin`select from pg_database where datname = ${name}`).length > 0
  if (await exists()) return name
  const lock = await waitForLock(templateLock(port), 60)
  try {
    if (await exists()) return name
    await dropLeftovers(admin)
    const unfinished = `${name}_unfinished`
    await admin.unsafe(`drop database if exists ${unfinished} with (force)`)
    await admin.unsafe(`create database ${unfinished}`)
    const sql = new SQL(urlOf(port, unfinished), { max: 1 })
    await migrate(sql, undefined, [...migrations])
    await sql.close()
    const pool = openPool({ url: urlOf(port, unfinished), size: 1, name: 'online jobs' })
    await pool.use(connection => finishOnlineJobs(connection, jobs)).finally(() => pool.close())
    await admin.unsafe(
      `do $$ declare role text; begin
         for role in select rolname from pg_roles where rolname in (${platformRoles}) loop
           execute format('alter role %I password ''${password()}''', role);
         end loop;
       end $$`,
    )
    await admin.unsafe(`alter database ${unfinished} rename to ${name}`)
    return name
  } finally {
    lock?.release()
  }
}

/** Drops the databases of killed tests, whose process id no longer exists. */
async function dropLeftovers(admin: SQL): Promise<void> {
  if (!existsSync('/proc/self')) return
  const rows = await admin`
    select datname from pg_database d
     where datname like 'test\_%'
       and not exists (select from pg_stat_activity a where a.datname = d.datname)`
  for (const { datname } of rows) {
    const owner = Number(datname.split('_')[1])
    if (!existsSync(`/proc/${owner}`)) await admin.unsafe(`drop database if exists ${datname}`)
  }
}

/** Ends the server once it's idle, or once its checkout's folder is removed. */
async function watch(url: string): Promise<void> {
  const target = targetOfHome()
  const isWanted = () => existsSync(dir)
  const hasEnded = await endWhenIdle(path.join(target, 'postgres'), url, { isWanted })
  if (hasEnded || !isWanted()) removeHome(target)
}

async function stop(): Promise<void> {
  const file = readPidFile(dir)
  if (file !== undefined) await stopProcess(file.pid, dir)
  removeHome()
}

// Runs before any hook, because the first start takes longer than Bun gives a hook. A process on a
// small disk is excluded, because it has a separate process id space: it would conclude that the
// running server had ended, and would end that server by starting another in its place.
if (!import.meta.main && Bun.env.NODE_ENV === 'test' && ownDisk() === undefined) {
  await ensureTemplate(runningPort() ?? startAside(), readMigrations())
}

if (import.meta.main) {
  const port = runningPort()
  if (process.argv[2] === 'stop') {
    await stop()
  } else if (process.argv[2] === 'watch') {
    if (port !== undefined) await watch(urlOf(port, 'postgres'))
    // Exits without waiting for the next check.
    process.exit()
  } else if (process.argv[2] === 'clean') {
    if (port !== undefined) {
      await using admin = new SQL(urlOf(port, 'postgres'), { max: 1 })
      await dropLeftovers(admin)
    }
  } else {
    const reused = port !== undefined
    if (!reused) await start()
    console.log(`The test database ${reused ? 'is running' : 'has started'}.`)
  }
}
