// The connection pool. A call uses one connection from start to end: the credential lookup sets the
// caller's tenant on that connection (auth/principal.ts), and row-level security then restricts the
// call's later statements to it.
//
// Bun's own pool can't do this (1.4.5). `sql.reserve()` returns any free connection, so a call
// couldn't get one whose tenant is already set. A caller couldn't give up waiting either: no
// timeout covers the wait for a free connection, and an abandoned request would still reserve one
// later. So each slot in this pool has a driver with one connection. Reserving that connection for
// each call would replace only the loss counter, at the cost of one more step in every call.
// Decided in docs/decisions/0005-keep-a-call-on-one-connection.md.

import { SQL } from 'bun'
import { isConnectionLost, withStatement } from './failures.ts'
import { driverAddress } from './roles.ts'
import type { Statement } from './sql.ts'

export type Row = Record<string, unknown>

export type Connection = {
  /** Makes one round trip. Rows have the statement's columns, and the caller states their type. All
   *  of a call's statements run on one connection. Once that connection is lost, `run` rejects with
   *  ConnectionLost. */
  run<R extends Row>(statement: Statement): Promise<R[]>
  /** The tenant last set on this connection by this process. Only the database knows the current
   *  tenant. */
  tenant?: string | undefined
}

export type PoolOptions = {
  url: string
  size: number
  name: string
  /** The schemas to look up names in, first to last. */
  path?: string
  /** How long a call may wait for a connection before it fails with PoolTimeout. */
  waitSeconds?: number
  /** Session settings on top of the defaults. */
  settings?: Readonly<Record<string, string>>
  /** Called with each failure that ends a call, before the caller gets it. */
  onFailure?(failure: unknown): void
  /** Called with how long a call waited for a connection, if it had to wait. */
  onWait?(milliseconds: number, pool: string): void
}

export type ConnectionPool = {
  /** Runs the work on one connection, preferably a free one with `tenant` already set. */
  use<T>(work: (connection: Connection) => Promise<T>, tenant?: string): Promise<T>
  /** Round trips so far. Tests use this to count an operation's round trips. */
  roundTrips(): number
  close(): Promise<void>
}

/** Thrown when no connection becomes free within the waiting time. */
export class PoolTimeout extends Error {
  readonly code = 'POOL_TIMEOUT'
}

/** The connection was lost, along with its transaction and session settings. */
export class ConnectionLost extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_LOST'
}

/** The driver reconnects on its own, but a call must not continue on the new session: the first
 *  half of its transaction was rolled back, the second half would be committed, and no tenant is
 *  set. So losses are counted, and a call checks that no loss occurred since the call started. */
type PooledConnection = { driver: SQL; losses: number; tenant: string | undefined }

const settings = (options: PoolOptions) => ({
  application_name: options.name,
  search_path: options.path ?? 'public',
  statement_timeout: '5000',
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '5000',
  // A timestamp's year and a date's text must be the same on every server.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // Every statement looks up rows by key, so its plan doesn't depend on the values, and replanning
  // a write costs more than running it.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  ...options.settings,
})

/** Settings for pools whose statements each touch few rows. While a table is small, scanning or
 *  hashing all of it looks cheaper than using its index. Such a plan would be cached, and kept
 *  after the table has grown. */
export const keyed = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** Callers wait in order of arrival, and no longer than the limit. */
function queueOf(free: PooledConnection[], options: PoolOptions) {
  const waiting: ((pooled: PooledConnection) => void)[] = []
  /** The connection last used for the same tenant, or for none, because it has planned the most
   *  statements. Or else the one that has been idle the longest, because its tenant is the least
   *  likely to be needed next. */
  const ready = (tenant: string | undefined): PooledConnection | undefined => {
    const at = free.findLastIndex(one => one.tenant === tenant)
    return at < 0 ? free.shift() : free.splice(at, 1)[0]
  }
  return {
    async take(tenant: string | undefined): Promise<PooledConnection> {
      const found = ready(tenant)
      if (found) return found
      const { promise, resolve, reject } = Promise.withResolvers<PooledConnection>()
      waiting.push(resolve)
      const giveUp = () => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(new PoolTimeout(`No connection in the pool "${options.name}" became free in time.`))
      }
      const timer = setTimeout(giveUp, (options.waitSeconds ?? 5) * 1000)
      const began = performance.now()
      return promise.finally(() => {
        clearTimeout(timer)
        options.onWait?.(performance.now() - began, options.name)
      })
    },
    give(pooled: PooledConnection): void {
      const next = waiting.shift()
      if (next) next(pooled)
      else free.push(pooled)
    },
  }
}

function connect(options: PoolOptions): PooledConnection {
  const lost = () => {
    pooled.losses++
    pooled.tenant = undefined
  }
  const driver = new SQL({
    ...driverAddress(options.url),
    max: 1,
    idleTimeout: 0,
    maxLifetime: 0,
    connectionTimeout: 5,
    connection: settings(options),
    onclose: lost,
  })
  const pooled: PooledConnection = { driver, losses: 0, tenant: undefined }
  return pooled
}

export function openPool(options: PoolOptions): ConnectionPool {
  let roundTrips = 0
  let isClosed = false
  const pooledConnections = new Set<PooledConnection>()
  const connected = (): PooledConnection => {
    const pooled = connect(options)
    pooledConnections.add(pooled)
    return pooled
  }
  const queue = queueOf(Array.from({ length: options.size }, connected), options)
  const connectionOf = (pooled: PooledConnection): Connection => {
    const { losses } = pooled
    return {
      get tenant() {
        return pooled.tenant
      },
      set tenant(opened) {
        pooled.tenant = opened
      },
      run<R extends Row>(statement: Statement): Promise<R[]> {
        if (pooled.losses !== losses) {
          return Promise.reject(
            new ConnectionLost(`A connection in the pool "${options.name}" was lost.`),
          )
        }
        roundTrips++
        const { text, values } = statement.prepared
        // Sends the query now, because the connection could be lost before the result is awaited.
        const query = pooled.driver.unsafe(text, values).execute()
        return query.catch((failure: unknown) => {
          throw withStatement(failure, text)
        }) as Promise<R[]>
      },
    }
  }

  return {
    roundTrips: () => roundTrips,
    async use(work, tenant) {
      let pooled = await queue.take(tenant)
      try {
        if (isClosed) throw new ConnectionLost(`The pool "${options.name}" is closed.`)
        return await work(connectionOf(pooled))
      } catch (failure) {
        options.onFailure?.(failure)
        // Replaces the connection, so the next caller can't get a session in an unknown state.
        if (isConnectionLost(failure) && !isClosed) {
          const lost = pooled
          pooledConnections.delete(lost)
          pooled = connected()
          void lost.driver.close({ timeout: 0 }).catch(() => undefined)
        }
        throw failure
      } finally {
        queue.give(pooled)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...pooledConnections].map(({ driver }) => driver.close({ timeout: 5 })))
    },
  }
}
