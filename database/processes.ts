// The gateways and workers that use this database. Each process holds one connection while it runs.
// The connection's application_name has the process's name, maximum connections and newest
// migration, so the entry disappears when the process ends for any reason. A process's connections
// count for others once it holds the lock of admitted processes.
import { isTransient } from './failures.ts'
import { LaunchError } from './launch-error.ts'
import { type Connection, type ConnectionPool, openPool } from './pool.ts'
import { sql } from './sql.ts'

export type PlatformProcess = {
  readonly kind: 'gateway' | 'worker'
  /** How many connections the process may open, including this one. */
  readonly connections: number
  /** The number of the newest migration that this version of the code includes. */
  readonly schema: string
}

const prefix = 'telehealth'
const shape = /^telehealth (gateway|worker) (\d+) (\d{4})$/

const nameOf = ({ kind, connections, schema }: PlatformProcess) =>
  `${prefix} ${kind} ${connections} ${schema}`

function processOf(name: string): PlatformProcess[] {
  const [, kind, connections, schema = ''] = shape.exec(name) ?? []
  if (kind !== 'gateway' && kind !== 'worker') return []
  return [{ kind, connections: Number(connections), schema }]
}

/** Any role may call this. */
export async function runningProcesses(connection: Connection): Promise<PlatformProcess[]> {
  const rows = await connection.run<{ name: string }>(sql`
    select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like ${`${prefix} %`}
     order by backend_start, pid`)
  return rows.flatMap(({ name }) => processOf(name))
}

/** The namespace for this module's locks, which are per database. */
export const admissionLock = 169_169

/** How many connections PostgreSQL has for roles that aren't superusers. */
const allowed = sql`current_setting('max_connections')::int
  - current_setting('superuser_reserved_connections')::int
  - coalesce(current_setting('reserved_connections', true)::int, 0)`

export async function allowedConnections(connection: Connection): Promise<number> {
  const [row] = await connection.run<{ allowed: number }>(sql`select ${allowed} as allowed`)
  return row?.allowed ?? 0
}

/** After a lost connection, the entry is restored within this time. */
const refreshMilliseconds = 15_000
const pauseMilliseconds = 250
/** How long to wait for the process that this one replaces to end, or for a database to start. */
const waitMillisecondsDefault = 10_000

export type Registration = { readonly close: () => Promise<void> }

/** Throws if PostgreSQL doesn't have room for this process's connections in addition to those of
 *  earlier processes. Every process must pass the URL of the same role. */
export async function registerProcess(
  url: string,
  process: PlatformProcess,
  waitMilliseconds = waitMillisecondsDefault,
): Promise<Registration> {
  const pool = openPool({ url, size: 1, name: nameOf(process) })
  const refresh = () =>
    void pool.use(connection => connection.run(sql`select ${admitted}`)).catch(() => undefined)
  const timer = setInterval(refresh, refreshMilliseconds).unref()
  const close = async () => {
    clearInterval(timer)
    await pool.close()
  }
  await untilRoom(pool, process.connections, waitMilliseconds).catch(async (failure: unknown) => {
    await close()
    throw failure
  })
  return { close }
}

async function untilRoom(pool: ConnectionPool, wanted: number, patience: number): Promise<void> {
  for (let waited = 0; ; waited += pauseMilliseconds) {
    const isLast = waited >= patience
    const answer = await pool
      .use(connection => admit(connection, wanted))
      .catch((failure: unknown) => {
        if (!isTransient(failure) || isLast) throw failure
        return null
      })
    if (answer && answer.fault === null) return
    if (answer?.fault && isLast) throw new LaunchError(answer.fault)
    await Bun.sleep(pauseMilliseconds)
  }
}

/** If two processes start at the same time, the second waits here until the first is admitted or
 *  refused. */
async function admit(connection: Connection, wanted: number): Promise<{ fault: string | null }> {
  await connection.run(sql`begin`)
  try {
    await connection.run(sql`select pg_advisory_xact_lock(${admissionLock}, 0)`)
    const fault = faultOf(await roomOf(connection), wanted)
    if (fault === null) await connection.run(sql`select ${admitted}`)
    return { fault }
  } finally {
    // Also ends a failed transaction.
    await connection.run(sql`commit`)
  }
}

/** Each admitted process holds this lock on the connection that names it. */
const admitted = sql`pg_advisory_lock_shared(${admissionLock}, 1)`

type Room = { allowed: number; others: string[] }

async function roomOf(connection: Connection): Promise<Room> {
  const [room] = await connection.run<Room>(sql`
    select ${allowed} as allowed,
           array(select a.application_name from pg_locks l join pg_stat_activity a using (pid)
                  where l.locktype = 'advisory' and l.granted and l.mode = 'ShareLock'
                    and l.classid = ${admissionLock}::int::oid and l.objid = 1::oid and l.objsubid = 2
                    and l.pid <> pg_backend_pid() and a.datname = current_database()) as others`)
  return room ?? { allowed: 0, others: [] }
}

function faultOf({ allowed, others: names }: Room, wanted: number): string | null {
  const others = names.flatMap(processOf)
  const used = others.reduce((sum, { connections }) => sum + connections, 0)
  if (used + wanted <= allowed) return null
  return `This process can open ${wanted} PostgreSQL connections, and the ${others.length} running gateways and workers ${used}, but max_connections allows them ${allowed} in total. Lower POOL_SIZE or WORKER_POOL_SIZE, or raise max_connections.`
}
