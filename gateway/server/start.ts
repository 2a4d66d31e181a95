// Runs `npm start`: reads the settings, starts and migrates the database, starts the gateway and a
// worker, and prints the URLs.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import type { Peppers } from '#auth/pepper.ts'
import { startEmbedded } from '#database/embedded/server.ts'
import { releaseBallast } from '#database/embedded/ballast.ts'
import { freeBytes, fullBytes, megabyte, nearlyFullBytes } from '#database/disk.ts'
import { LaunchError } from '#database/launch-error.ts'
import { migrate } from '#database/migrate.ts'
import { isFree } from '#database/embedded/postmaster.ts'
import { claimDataDir } from './claim-data-dir.ts'
import { portVariables, urlVariables } from '../settings/origins.ts'
import { type Config, environmentFor, isPrivate, readConfig } from '../settings/config.ts'
import type { GatewayContext } from '../settings/context.ts'
import type { SandboxAccess, Serving } from './context.ts'
import { createLog, type Log } from '#http/log.ts'
import type { LocalClinic } from '../local/clinic.ts'
import { fileSynthetic } from '../local/cases.ts'
import { accessFile, storeAccess } from '../local/stored.ts'
import { startGateway } from './gateway.ts'
import { prepareDatabase } from './prepare.ts'
import { launchFailure } from '../processes/launch-failure.ts'
import { outliveConnections } from '../processes/outlive.ts'
import { checkPeppers } from '../processes/peppers.ts'
import { register } from '../processes/register.ts'
import { openProgress, step } from './progress.ts'
import { peppersOf } from '../settings/credentials.ts'
import { describeIfAsked } from '../settings/describe.ts'
import { openSecrets, type Secrets } from '../settings/secrets.ts'
import { buildSiteIfChanged } from '../static/site-build.ts'
import { superviseWorker } from './worker-supervisor.ts'

/** Longer than it takes to stop a gateway and then a worker (deploy/README.md). */
const stopSecondsMax = 60
const isTransient = process.stdout.isTTY && !process.argv.includes('--verbose')
const { say, clear } = openProgress(process.stdout, isTransient)

/** Runs on shutdown, last added first. */
const closers: (() => Promise<void> | void)[] = []
let shutdown: Promise<never> | undefined
/** A database server can be stopped only once it has fully started. */
let launching: Promise<unknown> = Promise.resolve()

async function start(): Promise<void> {
  const config = readConfig()
  checkDisk(config)
  await run(config).catch((error: unknown) => {
    checkDisk(config)
    throw error
  })
}

/** A full disk causes many different errors, so the disk is checked before starting, and again if
 *  starting fails. */
function checkDisk({ dataDir, databaseUrl }: Config): void {
  const postgres = path.join(dataDir, 'postgres')
  if (releaseBallast(postgres)) {
    clear()
    console.error('The disk is full. The reserved space was released for PostgreSQL to start.')
  }
  const isFirst = databaseUrl === undefined && !existsSync(postgres)
  const needed = isFirst ? nearlyFullBytes : fullBytes
  const free = freeBytes(dataDir)
  if (free >= needed) return
  const [found, wanted] = [free, needed].map(bytes => Math.floor(bytes / megabyte))
  throw new LaunchError(
    `The disk with ${dataDir} is full: ${found} MB free, ${wanted} MB needed. Free up space, or set DATA_DIR to a folder on another disk, then run npm start again.`,
  )
}

async function run(config: Config): Promise<void> {
  const log = createLog(config.logFormat)
  outliveConnections(log)
  closers.push(() => log.flush())
  makeDataDir(config.dataDir)
  const claim = await claimDataDir(config.dataDir, say)
  closers.push(() => claim.release())
  await checkPorts(config)
  // With SITE_DIR, the site in that folder is served.
  if (config.siteDir === undefined)
    await step('Building the site', say, () => buildSiteIfChanged(say))
  const secrets = openSecrets(config.dataDir)
  const databaseUrl =
    config.databaseUrl ??
    (await step('Starting the database', say, () => openEmbedded(config, secrets, log)))
  await step('Migrating the database', say, () =>
    migrateAt(databaseUrl, peppersOf(config, secrets)),
  )
  const context: GatewayContext = { config, databaseUrl, secrets, log }
  const sandbox = await step('Preparing roles and sandbox', say, () => prepareDatabase(context))
  const registered = await register('gateway', context)
  closers.push(() => registered.close())
  const serving = await startGateway(context, sandbox)
  if (sandbox?.clinic) await fileSynthetic(serving.base, sandbox.clinic.live_key)
  const worker = superviseWorker(
    environmentFor({
      DATABASE_URL: databaseUrl,
      BASE_URL: serving.base,
      ...urlVariables(serving.urls),
    }),
    log,
  )
  closers.push(
    () => worker.stop(),
    () => serving.stop(),
    () => claim.become('stopping'),
  )
  claim.become('ready')
  // Flushed first, so the URLs don't appear among earlier lines.
  log.flush()
  announce(config, serving, sandbox)
}

async function checkPorts({ port, origins, host }: Config): Promise<void> {
  const ports = [['PORT', port] as const, ...portVariables(origins)]
  for (const [name, each] of ports) {
    if (each === 0 || (await isFree(each, host))) continue
    throw new LaunchError(
      `Port ${each} is already in use. Stop the process that uses it, or set ${name} to another port.`,
    )
  }
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new LaunchError(`DATA_DIR must be a writable folder, but ${dataDir} is not.`, {
      cause,
    })
  }
}

async function openEmbedded(config: Config, secrets: Secrets, log: Log): Promise<string> {
  const starting = startEmbedded({
    dir: path.join(config.dataDir, 'postgres'),
    password: secrets('databasePassword'),
    archive: config.walArchive,
    ballast: true,
    log: message => log.event('database.message', { message }),
    onChange: change => log.event(`database.${change}`),
  })
  launching = starting.then(
    embedded => closers.push(() => embedded.stop()),
    () => undefined,
  )
  const embedded = await starting
  if (embedded.reused) say('Reusing the database server that the previous instance left running.')
  return embedded.url
}

async function migrateAt(databaseUrl: string, peppers: Peppers): Promise<void> {
  await using sql = new SQL(databaseUrl, { max: 1, connectionTimeout: 10 })
  await sql`select 1`.catch((cause: unknown) => {
    const { host, pathname } = new URL(databaseUrl)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LaunchError(
      `The database ${pathname.slice(1)} at ${host} could not be reached: ${reason}`,
      { cause },
    )
  })
  await checkPeppers(databaseUrl, peppers)
  const { length } = await migrate(sql, say)
  if (length > 0) say(`Applied ${length} migrations.`)
}

function announce(config: Config, serving: Serving, sandbox: SandboxAccess | undefined): void {
  const { base: url, urls, hasSignIn, mailUrl } = serving
  const { auth: auth_url, mcp: mcp_url, portal: portal_url, console: console_url } = urls
  const { clinic, ...keys } = sandbox ?? {}
  const own = { url, auth_url, mcp_url, portal_url, console_url }
  storeAccess(config.dataDir, { ...own, ...keys, ...clinic })
  const file = accessFile(config.dataDir)
  clear()
  // A public server doesn't log its key.
  const key = isPrivate(config) && sandbox !== undefined ? sandbox.key : `in ${file}`
  const lines = [
    `Site     ${url}/`,
    `API      ${url}/v1   test key ${key}`,
    ...(hasSignIn ? [`Portal   ${portal_url}/   ${ownerText(config, sandbox, file)}`] : []),
    ...(clinic ? liveLines(url, console_url, clinic, file) : []),
    ...(mailUrl === null ? [] : [`Email    ${mailUrl}   every email this server would send`]),
    `Tools    ${mcp_url}   for assistants, with the same key or by signing in`,
    ...(config.databaseUrl === undefined ? [packagedDatabase] : []),
    `Next     ${url}/docs/quickstart`,
    ...(hasSignIn ? [] : [`Reserved for sign-in, not served yet: ${auth_url}`]),
  ]
  process.stdout.write(`\n${lines.map(line => `  ${line}\n`).join('')}\n`)
}

const packagedDatabase =
  'Database PostgreSQL from npm, which gets no security releases: for development only; otherwise, set DATABASE_URL'

const liveLines = (
  url: string,
  console: string,
  { live_key: key, staff }: LocalClinic,
  file: string,
) => [
  `Live     ${url}/v1   live key ${key}, on this machine only, with synthetic patients`,
  `Console  ${console}/   sign in as ${staff.clinician.email}; password and code secret of each role in ${file}`,
]

/** The people who can sign in immediately. A public server has no local owner. */
function ownerText(config: Config, sandbox: SandboxAccess | undefined, file: string): string {
  if (sandbox?.owner === undefined || !isPrivate(config)) return 'where teammates sign in'
  return `sign in as ${sandbox.owner.email}, password and code secret in ${file}`
}

function end(code: number): Promise<never> {
  shutdown ??= (async () => {
    setTimeout(() => process.exit(1), stopSecondsMax * 1000).unref()
    await launching
    // On a full disk, one closer may fail, and the others must still run.
    for (const close of closers.toReversed()) await Promise.try(close).catch(console.error)
    return process.exit(code)
  })()
  return shutdown
}

function endOnSignals(): void {
  // The terminal and npm both forward Ctrl-C, so one press may send several signals.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end(0))
  }
  // If the parent, deploy/start.mjs, is killed, nothing else would stop this process.
  process.on('disconnect', () => void end(0))
  // The reader of standard output may close it, as in `npm start | head`; this process keeps
  // running.
  process.stdout.on('error', () => {})
}

describeIfAsked(import.meta.path)
endOnSignals()
start().catch((error: unknown) => {
  if (shutdown !== undefined) return
  const { text, exitCode } = launchFailure(error)
  clear()
  console.error(text)
  void end(exitCode)
})
