// The doctor's database checks, on one connection as the database's owner.
import type { Peppers } from '#auth/pepper.ts'
import { knownMigrations } from '#database/check-schema.ts'
import { now } from '#database/clock.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { allowedConnections, runningProcesses } from '#database/processes.ts'
import { forEachRole, logsIn, roleName, roleUrls } from '#database/roles.ts'
import { appliedMigrations, oldestBeside, schemaFault } from '#database/schema-range.ts'
import { sql } from '#database/sql.ts'
import { databaseFacts, missingOf } from '../live/requirements.ts'
import { comparePeppers } from '../processes/peppers.ts'
import { rolePasswords } from '../settings/credentials.ts'
import type { Config } from '../settings/config.ts'
import { clockFinding, fault, type Finding, ok, reasonOf, warning } from './finding.ts'

type DatabaseChecks = {
  readonly url: string
  readonly config: Config
  /** Null if the installation has no secret yet. */
  readonly peppers: Peppers | null
  readonly isLive: boolean
}

export async function databaseFindings(asked: DatabaseChecks): Promise<Finding[]> {
  const pool = openPool({ url: asked.url, size: 1, name: 'doctor', settings: timeouts })
  try {
    return await pool.use(async connection => [
      ok('database', 'Responds.'),
      ...packagedFindings(asked),
      encryptionFinding(asked),
      await clockOf(connection),
      ...(await schemaFindings(connection, asked)),
      ...(await replicaFindings(connection)),
      ...(asked.isLive ? await liveFindings(connection) : []),
    ])
  } catch (failure) {
    return [fault('database', `No response: ${reasonOf(failure)}`)]
  } finally {
    await pool.close()
  }
}

const timeouts = { statement_timeout: '10000' }

/** The PostgreSQL server from npm is meant for a single developer's machine. */
function packagedFindings({ config }: DatabaseChecks): Finding[] {
  if (config.databaseUrl !== undefined) return []
  return [
    warning(
      'database release',
      "PostgreSQL from npm gets no security releases. Set DATABASE_URL to your own server for anything beyond one developer's machine.",
    ),
  ]
}

/** A fault in live mode, and a warning for a database on another machine. */
function encryptionFinding({ url }: DatabaseChecks): Finding {
  const { hostname, searchParams } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (searchParams.get('sslmode') === 'verify-full')
    return ok('database encryption', "The server's certificate and name are verified.")
  if (isHere) return ok('database encryption', 'Not needed: the server is on this machine.')
  return warning(
    'database encryption',
    "DATABASE_URL has no ?sslmode=verify-full, so the server's name isn't verified.",
  )
}

async function clockOf(connection: Connection): Promise<Finding> {
  const before = now()
  const [row] = await connection.run<{ at: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  )
  return clockFinding('database clock', (row?.at ?? 0) - (before + now()) / 2)
}

/** Checks that require a schema this version supports. */
async function schemaFindings(connection: Connection, asked: DatabaseChecks): Promise<Finding[]> {
  const [table] = await connection.run<{ exists: boolean }>(
    sql`select to_regclass('public.migrations') is not null as exists`,
  )
  if (table?.exists !== true)
    return [fault('schema', 'Missing. Run `npm run admin -- migrate` first.')]
  const applied = await appliedMigrations(connection)
  const found = schemaFault(knownMigrations(), applied)
  if (found !== null) return [fault('schema', found.text)]
  const range = `Runs versions with migration ${oldestBeside(applied)} or later.`
  return [
    ok('schema', range),
    await pepperFinding(connection, asked),
    ...(asked.peppers ? [await rolesFinding(asked.url, asked.peppers)] : []),
    ...(await processFindings(connection, asked)),
    await backupFinding(connection, asked),
  ]
}

async function pepperFinding(
  connection: Connection,
  { peppers }: DatabaseChecks,
): Promise<Finding> {
  if (peppers === null) return fault('pepper', "KEY_PEPPER isn't set, and DATA_DIR has none.")
  const compared = await comparePeppers(connection, peppers)
  if (compared === 'shared') return ok('pepper', 'Matches the platform.')
  if (compared === 'unknown') return ok('pepper', 'No process has started yet to compare it with.')
  return fault(
    'pepper',
    "KEY_PEPPER isn't the platform's. No process starts with it, and its keys would be refused. Use the same value as the other machines.",
  )
}

async function rolesFinding(url: string, peppers: Peppers): Promise<Finding> {
  const urls = roleUrls(url, rolePasswords(...peppers))
  const roles = Object.keys(forEachRole(() => 0)) as (keyof typeof urls)[]
  const tried = await Promise.all(roles.map(role => logsIn(urls[role])))
  const closed = roles.filter((_, at) => tried[at] !== true).map(roleName)
  if (closed.length === 0) return ok('roles', 'Every database role can log in.')
  return warning(
    'roles',
    `${closed.join(', ')} can't log in yet. Run \`npm run admin -- migrate\`.`,
  )
}

/** Without a gateway, the platform isn't running, so nothing waits for a worker. */
function workerFinding(gateways: number, workers: number): Finding[] {
  if (gateways === 0) return []
  if (workers > 0) return [ok('worker', `${workers} running.`)]
  const text =
    'None is running, so webhooks, exports and timers are paused. Run npm start -- worker.'
  return [warning('worker', text)]
}

async function processFindings(
  connection: Connection,
  { config }: DatabaseChecks,
): Promise<Finding[]> {
  const processes = await runningProcesses(connection)
  const allowed = await allowedConnections(connection)
  const sum = processes.reduce((total, { connections }) => total + connections, 0)
  const countOf = (of: string) => processes.filter(({ kind }) => kind === of).length
  const [gateways, workers] = [countOf('gateway'), countOf('worker')]
  const text = `${processes.length} running gateways and workers open up to ${sum} of ${allowed}.`
  const several = gateways > 1
  return [
    ...workerFinding(gateways, workers),
    sum <= allowed
      ? ok('connections', text)
      : fault('connections', `${text} Raise max_connections.`),
    ...(several && config.redisUrl === undefined
      ? [
          warning(
            'several gateways',
            "REDIS_URL isn't set, so each gateway counts rate limits alone.",
          ),
        ]
      : []),
    ...(several && config.bucket === undefined
      ? [warning('several gateways', "S3_ENDPOINT isn't set, so they must share DATA_DIR/files.")]
      : []),
  ]
}

/** One day, plus two hours in case a backup takes longer than the previous one. */
const backupHoursMax = 26

async function backupFinding(connection: Connection, { isLive }: DatabaseChecks): Promise<Finding> {
  const [row] = await connection.run<{ hours: number | null }>(sql`
    select (extract(epoch from now() - max(taken_at)) / 3600)::float8 as hours from public.backups`)
  const hours = row?.hours ?? null
  if (hours !== null && hours <= backupHoursMax)
    return ok('backup', `The last one is ${Math.floor(hours)} hours old.`)
  const text =
    hours === null
      ? 'None recorded yet. Take one each night. If another program takes them, run `npm run admin -- backup record` after it.'
      : `The last one is ${Math.floor(hours)} hours old. Take one each night.`
  return isLive ? fault('backup', text) : warning('backup', text)
}

/** The same threshold as in the alerts in deploy/README.md. */
const lagBytesMax = 64e6
const retainedBytesMax = 1e9

async function replicaFindings(connection: Connection): Promise<Finding[]> {
  const [known] = await connection.run<{ exists: boolean }>(
    sql`select to_regproc('public.replication_lag') is not null as exists`,
  )
  if (known?.exists !== true) return []
  const rows = await connection.run<{ kind: string; name: string; bytes: number }>(
    sql`select kind, name, bytes from public.replication_lag()`,
  )
  if (rows.length === 0) return [ok('replicas', 'None.')]
  return rows.map(({ kind, name, bytes }) => {
    const megabytes = Math.round(bytes / 1e6)
    const [label, text, max] =
      kind === 'replica'
        ? [`replica ${name}`, `${megabytes} MB behind.`, lagBytesMax]
        : [
            `slot ${name}`,
            `Unused, and holds back ${megabytes} MB of the write-ahead log.`,
            retainedBytesMax,
          ]
    return bytes > max ? fault(label, text) : ok(label, text)
  })
}

async function liveFindings(connection: Connection): Promise<Finding[]> {
  const facts = await databaseFacts(connection)
  const missing = missingOf(facts).map(({ setting, fix }) => fault(setting, fix))
  const archive = facts.archives ? [ok('archive_mode', 'On.')] : []
  const failing = facts.archives && facts.is_archive_failing
  return [
    ...missing,
    ...archive,
    ...(failing ? [fault('archive_command', 'The last run failed. See the PostgreSQL log.')] : []),
  ]
}
