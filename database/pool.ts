// A pool whose unit is one connection, kept for the length of one call. The credential look-up
// opens the caller's stream on that connection (auth/principal.ts), and row level security holds
// every later statement of the call to it.

import { SQL } from 'bun'
import { isConnectionLost } from './failures.ts'
import type { Statement } from './sql.ts'

export type Row = Record<string, unknown>

export type Connection = {
  /** One round trip. Rows come back as the statement named them; the caller states their type. All
   *  of a call run on one connection: once that is lost, this rejects with Lost. */
  run<R extends Row>(statement: Statement): Promise<R[]>
  /** The stream that was opened last on this connection, as far as this process knows. Which one is
   *  open in truth is known to the database alone. */
  stream?: string | undefined
}

export type PoolOptions = {
  url: string
  size: number
  name: string
  /** Schemas, first to last, in which names are looked up. */
  path?: string
  /** How long a call may wait for a connection, in seconds, before it is refused. */
  waitSeconds?: number
  /** Settings of its sessions beside those of every session. */
  settings?: Readonly<Record<string, string>>
}

export type ConnectionPool = {
  /** With a stream, on a connection where it is open already, if one of those is free. */
  use<T>(work: (conn: Connection) => Promise<T>, stream?: string): Promise<T>
  /** Round trips so far: what the tests of "one for a read, two for a write" count. */
  roundTrips(): number
  close(): Promise<void>
}

/** Every connection was busy for the whole wait. */
export class PoolTimeout extends Error {}

/** The connection of a lane was lost, and nothing that was open on it is open any more. */
export class ConnectionLost extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_LOST'
}

/** Its driver connects anew by itself. A call must not go on there: half of a transaction would be
 *  undone and the other half kept, and no stream is open. So each loss is counted. */
type PooledConnection = { driver: SQL; losses: number; stream: string | undefined }

const settings = (options: PoolOptions) => ({
  application_name: options.name,
  search_path: options.path ?? 'public',
  statement_timeout: '5000',
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '5000',
  // A year from a moment, and a date as text, are the same on every server.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // Every statement is keyed and its plan does not depend on the values: planning a write anew
  // costs more than running it.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  ...options.settings,
})

/** Settings where every statement is about few rows. While a table is small, reading or hashing all
 *  of it looks cheaper than its index; such a plan is kept, and costs more than the index at any
 *  size. */
export const keyed = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** First come, first served; whoever waits too long is refused rather than kept. */
function queueOf(free: PooledConnection[], options: PoolOptions) {
  const waiting: ((pooled: PooledConnection) => void)[] = []
  /** One that stands in the stream; else the one that was not used for longest, whose stream is the
   *  least likely to be asked for next. */
  const ready = (stream: string | undefined): PooledConnection | undefined => {
    const at = stream === undefined ? -1 : free.findIndex(one => one.stream === stream)
    return at < 0 ? free.shift() : free.splice(at, 1)[0]
  }
  return {
    async take(stream: string | undefined): Promise<PooledConnection> {
      const found = ready(stream)
      if (found) return found
      const { promise, resolve, reject } = Promise.withResolvers<PooledConnection>()
      waiting.push(resolve)
      const giveUp = () => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(new PoolTimeout(`no connection to ${options.name} was free`))
      }
      const timer = setTimeout(giveUp, (options.waitSeconds ?? 5) * 1000)
      return promise.finally(() => clearTimeout(timer))
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
    pooled.stream = undefined
  }
  const driver = new SQL({
    url: options.url,
    max: 1,
    idleTimeout: 0,
    maxLifetime: 0,
    connectionTimeout: 5,
    connection: settings(options),
    onclose: lost,
  })
  const pooled: PooledConnection = { driver, losses: 0, stream: undefined }
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
      get stream() {
        return pooled.stream
      },
      set stream(opened) {
        pooled.stream = opened
      },
      run<R extends Row>(statement: Statement): Promise<R[]> {
        if (pooled.losses !== losses) {
          return Promise.reject(new ConnectionLost(`a connection to ${options.name} was lost`))
        }
        roundTrips++
        const { text, values } = statement.prepared
        // Begun now, and not when it is waited for: between the two it might be lost.
        const query = pooled.driver.unsafe(text, values).execute()
        return query as unknown as Promise<R[]>
      },
    }
  }

  return {
    roundTrips: () => roundTrips,
    async use(work, stream) {
      let pooled = await queue.take(stream)
      try {
        return await work(connectionOf(pooled))
      } catch (failure) {
        // A connection that failed mid-call is replaced, never handed to the next caller.
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
