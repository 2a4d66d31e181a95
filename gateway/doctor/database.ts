// What the doctor asks the database, by one connection of its owner.
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
  /** None where there is no secret yet. */
  readonly peppers: Peppers | null
  readonly isLive: boolean
}

export async function databaseFindings(asked: DatabaseChecks): Promise<Finding[]> {
  const pool = openPool({ url: asked.url, size: 1, name: 'doctor', settings: patient })
  try {
    return await pool.use(async connection => [
      ok('database', 'answers.'),
      ...packagedFindings(asked),
      encryptionFinding(asked),
      await clockOf(connection),
      ...(await schemaFindings(connection, asked)),
      ...(await replicaFindings(connection)),
      ...(asked.isLive ? await liveFindings(connection) : []),
    ])
  } catch (failure) {
    return [fault('database', `does not answer: ${reasonOf(failure)}`)]
  } finally {
    await pool.close()
  }
}

const patient = { statement_timeout: '10000' }

/** The server that npm brings is for one developer's machine. */
function packagedFindings({ config }: DatabaseChecks): Finding[] {
  if (config.databaseUrl !== undefined) return []
  return [
    warning(
      'database release',
      "The PostgreSQL that npm start brings gets no security releases. Set DATABASE_URL to a server of your own for anything beyond one developer's machine.",
    ),
  ]
}

/** In live mode a requirement; for a database elsewhere a doubt. */
function encryptionFinding({ url }: DatabaseChecks): Finding {
  const { hostname, searchParams } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (searchParams.get('sslmode') === 'verify-full')
    return ok('database encryption', 'the certificate of the server is verified, with its name.')
  if (isHere) return ok('database encryption', 'not needed: the server is on this machine.')
  return warning(
    'database encryption',
    'DATABASE_URL has no ?sslmode=verify-full: the name of the server is not verified.',
  )
}

async function clockOf(connection: Connection): Promise<Finding> {
  const before = now()
  const [row] = await connection.run<{ at: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  )
  return clockFinding('database clock', (row?.at ?? 0) - (before + now()) / 2)
}

/** What can be asked only of a schema that this version runs on. */
async function schemaFindings(connection: Connection, asked: DatabaseChecks): Promise<Finding[]> {
  const [table] = await connection.run<{ exists: boolean }>(
    sql`select to_regclass('public.migrations') is not null as exists`,
  )
  if (table?.exists !== true)
    return [fault('schema', 'is not there yet. Run `npm run admin -- migrate` first.')]
  const applied = await appliedMigrations(connection)
  const found = schemaFault(knownMigrations(), applied)
  if (found !== null) return [fault('schema', found.text)]
  const range = `Versions whose newest migration is ${oldestBeside(applied)} or later run on it.`
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
  if (peppers === null) return fault('pepper', 'KEY_PEPPER is not set, and DATA_DIR has none.')
  const compared = await comparePeppers(connection, peppers)
  if (compared === 'shared') return ok('pepper', 'is the one that the platform uses.')
  if (compared === 'unknown') return ok('pepper', 'no process has started here to compare it with.')
  return fault(
    'pepper',
    'KEY_PEPPER is not the one that the platform uses: no process starts with it, and its keys would be refused. Set it as it is on the other machines.',
  )
}

async function rolesFinding(url: string, peppers: Peppers): Promise<Finding> {
  const urls = roleUrls(url, rolePasswords(...peppers))
  const roles = Object.keys(forEachRole(() => 0)) as (keyof typeof urls)[]
  const tried = await Promise.all(roles.map(role => logsIn(urls[role])))
  const closed = roles.filter((_, at) => tried[at] !== true).map(roleName)
  if (closed.length === 0) return ok('roles', 'each role of the database logs in.')
  return warning(
    'roles',
    `${closed.join(', ')} cannot log in yet; \`npm run admin -- migrate\` lets them.`,
  )
}

async function processFindings(
  connection: Connection,
  { config }: DatabaseChecks,
): Promise<Finding[]> {
  const processes = await runningProcesses(connection)
  const allowed = await allowedConnections(connection)
  const sum = processes.reduce((total, { connections }) => total + connections, 0)
  const text = `the ${processes.length} gateways and workers that run open ${sum} of ${allowed} at most.`
  const several = processes.filter(({ kind }) => kind === 'gateway').length > 1
  return [
    sum <= allowed
      ? ok('connections', text)
      : fault('connections', `${text} Raise max_connections.`),
    ...(several && config.redisUrl === undefined
      ? [warning('several gateways', 'REDIS_URL is not set: rate limits apply to each alone.')]
      : []),
    ...(several && config.bucket === undefined
      ? [warning('several gateways', 'S3_ENDPOINT is not set: they must share DATA_DIR/files.')]
      : []),
  ]
}

/** A day, and what a backup may take longer than the one before. */
const backupHoursMax = 26

async function backupFinding(connection: Connection, { isLive }: DatabaseChecks): Promise<Finding> {
  const [row] = await connection.run<{ hours: number | null }>(sql`
    select (extract(epoch from now() - max(taken_at)) / 3600)::float8 as hours from public.backups`)
  const hours = row?.hours ?? null
  if (hours !== null && hours <= backupHoursMax)
    return ok('backup', `the last one is ${Math.floor(hours)} hours old.`)
  const text =
    hours === null
      ? 'Take one each night: so far none was recorded. After one by another program run `npm run admin -- backup record`.'
      : `the last one is ${Math.floor(hours)} hours old. Take one each night.`
  return isLive ? fault('backup', text) : warning('backup', text)
}

/** As the alerts of deploy/README.md. */
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
  if (rows.length === 0) return [ok('replicas', 'no replica reads from this database.')]
  return rows.map(({ kind, name, bytes }) => {
    const megabytes = Math.round(bytes / 1e6)
    const [label, text, max] =
      kind === 'replica'
        ? [`replica ${name}`, `is ${megabytes} MB behind.`, lagBytesMax]
        : [`slot ${name}`, `is not used and keeps ${megabytes} MB of the log.`, retainedBytesMax]
    return bytes > max ? fault(label, text) : ok(label, text)
  })
}

async function liveFindings(connection: Connection): Promise<Finding[]> {
  const facts = await databaseFacts(connection)
  const missing = missingOf(facts).map(({ setting, fix }) => fault(setting, fix))
  const archive = facts.archives ? [ok('archive_mode', 'is on.')] : []
  const failing = facts.archives && facts.is_archive_failing
  return [
    ...missing,
    ...archive,
    ...(failing
      ? [fault('archive_command', 'failed when it ran last: see the log of PostgreSQL.')]
      : []),
  ]
}
