// What `npm start` runs: reads the settings, opens the database, prepares it, opens the door, says
// where.
import { accessSync, constants, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { startEmbedded } from '#database/embedded/server.ts'
import { LaunchError } from '#database/launch-error.ts'
import { migrate } from '#database/migrate.ts'
import { isFree } from '#database/embedded/postmaster.ts'
import { claimDataDir } from './claim-data-dir.ts'
import { baseUrlOf, ConfigError, environmentFor, readConfig, type Config } from './config.ts'
import type { GatewayContext, SandboxAccess } from './context.ts'
import { createLog, type Log } from '#http/log.ts'
import { startGateway } from './main.ts'
import { prepareDatabase } from './prepare.ts'
import { step } from './progress.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { keepWorker } from './worker-supervisor.ts'

const stopSecondsMax = 30
const say = (line: string) => void process.stdout.write(`${line}\n`)

/** What must be undone at the end, last made first. */
const closers: (() => Promise<void> | void)[] = []
let ending: Promise<never> | undefined
/** A server that is just being started must be known before it can be stopped. */
let launching: Promise<unknown> = Promise.resolve()

async function start(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logFormat)
  closers.push(() => log.flush())
  makeDataDir(config.dataDir)
  const claim = await claimDataDir(config.dataDir, say)
  closers.push(() => claim.release())
  if (config.port !== 0 && !(await isFree(config.port, config.host))) {
    throw new LaunchError(
      `Port ${config.port} is already in use. Stop what uses it, or set PORT to another one.`,
    )
  }
  // With SITE_DIR the site is whatever was published there, and building another would mislead.
  if (config.siteDir === undefined) await step('Building the site', say, buildSiteIfChanged)
  const secrets = openSecrets(config.dataDir)
  const databaseUrl =
    config.databaseUrl ??
    (await step('Starting the database', say, () => openEmbedded(config, secrets, log)))
  await step('Migrating the database', say, () => migrateAt(databaseUrl))
  const context: GatewayContext = { config, databaseUrl, secrets, log }
  const sandbox = await step('Preparing the house', say, () => prepareDatabase(context))
  const serving = await startGateway(context)
  const worker = keepWorker(
    environmentFor({ DATABASE_URL: databaseUrl, BASE_URL: baseUrlOf(config, serving.port) }),
    log,
  )
  closers.push(
    () => worker.stop(),
    () => serving.stop(),
    () => claim.become('stopping'),
  )
  claim.become('open')
  announce(config, serving.port, sandbox)
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new LaunchError(`DATA_DIR must be a folder that can be written, but ${dataDir} is not.`, {
      cause,
    })
  }
}

async function buildSiteIfChanged(): Promise<void> {
  const builder = path.join(import.meta.dir, '../..', 'site', 'build.ts')
  if (!existsSync(builder))
    throw new LaunchError(`${builder} is missing; the checkout is not whole.`)
  const { isBuilt, buildSite }: SiteBuilder = await import(builder)
  if (!(await isBuilt())) await buildSite(say)
}

/**
 * Imported only here and by its path: the gateway reads what the site wrote, and nothing of its
 * code.
 */
type SiteBuilder = {
  isBuilt(): boolean | Promise<boolean>
  buildSite(say: (line: string) => void): Promise<unknown>
}

async function openEmbedded(config: Config, secrets: Secrets, log: Log): Promise<string> {
  const starting = startEmbedded({
    dir: path.join(config.dataDir, 'postgres'),
    password: secrets('databasePassword'),
    archive: config.walArchive,
    log: message => log.event('database.note', { message }),
    onChange: change => {
      log.event(`database.${change}`)
      if (change !== 'lost') return
      say(`PostgreSQL died and could not be brought back; see ${config.dataDir}/postgres.log.`)
      void end(1)
    },
  })
  launching = starting.then(
    embedded => closers.push(() => embedded.stop()),
    () => undefined,
  )
  const embedded = await starting
  if (embedded.reused) say('Found the database still running after the last one was killed.')
  return embedded.url
}

async function migrateAt(databaseUrl: string): Promise<void> {
  await using sql = new SQL(databaseUrl, { max: 1, connectionTimeout: 10 })
  await sql`select 1`.catch((cause: unknown) => {
    const { host, pathname } = new URL(databaseUrl)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LaunchError(
      `The database ${pathname.slice(1)} at ${host} could not be reached: ${reason}`,
      { cause },
    )
  })
  const { length } = await migrate(sql, say)
  if (length > 0) say(`Applied ${length} migrations.`)
}

function announce(config: Config, port: number, sandbox: SandboxAccess | undefined): void {
  const url = baseUrlOf(config, port)
  const file = path.join(config.dataDir, 'dev.json')
  writeFileSync(`${file}.new`, `${JSON.stringify({ url, ...sandbox }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  const lines = ['', 'The house is open.', '', `  Site      ${url}/`, `  API       ${url}/v1`]
  if (sandbox !== undefined) {
    lines.push(
      `  Test key  ${sandbox.key}`,
      '',
      `  curl -H 'Authorization: Bearer ${sandbox.key}' ${url}/v1/organization`,
    )
  }
  say([...lines, '', '  Ctrl-C stops it.', ''].join('\n'))
}

function end(code: number): Promise<never> {
  ending ??= (async () => {
    setTimeout(() => process.exit(1), stopSecondsMax * 1000).unref()
    await launching
    for (const close of closers.toReversed()) await close()
    return process.exit(code)
  })()
  return ending
}

function endOnSignals(): void {
  // The terminal and npm both pass Ctrl-C on, so the first few come together and mean one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end(0))
  }
  // deploy/start.mjs holds the other end; when it is killed there is nobody left to stop us.
  process.on('disconnect', () => void end(0))
  // A reader of our output may leave, as `npm start | head` does; the house stays open.
  process.stdout.on('error', () => {})
}

endOnSignals()
start().catch((error: unknown) => {
  if (ending !== undefined) return
  const isExpected = error instanceof LaunchError || error instanceof ConfigError
  console.error(isExpected ? error.message : error)
  void end(error instanceof ConfigError ? 2 : 1)
})
