// The connection pool. A call has one connection for its whole length: the credential look-up sets
// the caller's tenant on that connection (auth/principal.ts), and row-level security then restricts
// every later statement of the call to it.
//
// Bun's own pool cannot do this (1.4.5): `sql.reserve()` takes any free connection, so a call could
// not ask for one on which its tenant is set already, and a caller cannot give up waiting: no
// timeout covers the wait for a free connection, and the abandoned request would still take one
// later. Hence a driver with one connection for each place of this pool. Reserving that connection
// for each call would replace only the count of losses, at the price of one more step in every
// call.
// Decided in docs/decisions/0005-keep-a-call-on-one-connection.md.

import { SQL } from 'bun'
import { isConnectionLost, withStatement } from './failures.ts'
import { driverAddress } from './roles.ts'
import type { Statement } from './sql.ts'

export type Row = Record<string, unknown>

export type Connection = {
  /** One round trip. Rows have the columns that the statement names; the caller states their type.
   *  All statements of a call run on one connection: once that is lost, this rejects with
   *  ConnectionLost. */
  run<R extends Row>(statement: Statement): Promise<R[]>
  /** The tenant that was set last on this connection, as far as this process knows. Only the
   *  database knows which one is set. */
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
  /** Takes each failure that ends a call, before the caller does. */
  onFailure?(failure: unknown): void
  /** Takes how long a call waited for a connection, if it had to. */
  onWait?(milliseconds: number, pool: string): void
}

export type ConnectionPool = {
  /** Runs the work on one connection; if one on which `tenant` is set is free, on that one. */
  use<T>(work: (connection: Connection) => Promise<T>, tenant?: string): Promise<T>
  /** Round trips so far, for tests of how many an operation needs. */
  roundTrips(): number
  close(): Promise<void>
}

/** No connection became free within the waiting time. */
export class PoolTimeout extends Error {}

/** The connection was lost, and with it its transaction and its session settings. */
export class ConnectionLost extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_LOST'
}

/** The driver reconnects by itself. A call must not continue on the new session: the first half of
 *  a  transaction is rolled back, the second would be committed, and no tenant is set. So losses
 *  are  counted, and a call checks that there was none since it started. */
type PooledConnection = { driver: SQL; losses: number; tenant: string | undefined }

const settings = (options: PoolOptions) => ({
  application_name: options.name,
  search_path: options.path ?? 'public',
  statement_timeout: '5000',
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '5000',
  // So that a timestamp's year and a date's text are the same on every server.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // Every statement looks rows up by key, so its plan does not depend on the values, and planning a
  // write again costs more than running it.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  ...options.settings,
})

/** Settings for pools whose statements each touch few rows. While a table is small, scanning or
 *  hashing all of it looks cheaper than its index; such a plan is cached, and remains when the
 *  table  has grown. */
export const keyed = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** Callers wait in order of arrival, and no longer than the limit. */
function queueOf(free: PooledConnection[], options: PoolOptions) {
  const waiting: ((pooled: PooledConnection) => void)[] = []
  /** A connection where the tenant is set; otherwise the one unused for longest, whose tenant is
   *  the least likely to be asked for next. */
  const ready = (tenant: string | undefined): PooledConnection | undefined => {
    const at = tenant === undefined ? -1 : free.findIndex(one => one.tenant === tenant)
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
        reject(new PoolTimeout(`No connection of the pool "${options.name}" became free in time.`))
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
            new ConnectionLost(`A connection of the pool "${options.name}" was lost.`),
          )
        }
        roundTrips++
        const { text, values } = statement.prepared
        // Sent now, not when it is awaited: the connection could be lost in between.
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
        return await work(connectionOf(pooled))
      } catch (failure) {
        options.onFailure?.(failure)
        // Replaced, so that the next caller cannot get a session in an unknown state.
        if (isConnectionLost(failure)) {
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
      await Promise.all([...pooledConnections].map(({ driver }) => driver.close({ timeout: 5 })))
    },
  }
}
