// A pool whose unit is one connection, kept for the length of one call. The credential look-up
// opens the caller's stream on that connection (auth/principal.ts), and row level security holds
// every later statement of the call to it.

import { SQL } from 'bun'
import { isLost } from './failures.ts'
import type { Statement } from './sql.ts'

export type Row = Record<string, unknown>

export type Lane = {
  /** One round trip. Rows come back as the statement named them; the caller states their type. All
   *  of a call run on one connection: once that is lost, this rejects with Lost. */
  run<R extends Row>(statement: Statement): Promise<R[]>
  /** The stream that was opened last on this connection, as far as this process knows. Which one is
   *  open in truth is known to the database alone. */
  stream?: string | undefined
}

export type LaneOptions = {
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

export type Lanes = {
  /** With a stream, on a connection where it is open already, if one of those is free. */
  use<T>(work: (lane: Lane) => Promise<T>, stream?: string): Promise<T>
  /** Round trips so far: what the tests of "one for a read, two for a write" count. */
  trips(): number
  close(): Promise<void>
}

/** Every connection was busy for the whole wait. */
export class Busy extends Error {}

/** The connection of a lane was lost, and nothing that was open on it is open any more. */
export class Lost extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_LOST'
}

/** Its driver connects anew by itself. A call must not go on there: half of a transaction would be
 *  undone and the other half kept, and no stream is open. So each loss is counted. */
type Connection = { driver: SQL; losses: number; stream: string | undefined }

const settings = (options: LaneOptions) => ({
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
function queueOf(free: Connection[], options: LaneOptions) {
  const waiting: ((connection: Connection) => void)[] = []
  /** One that stands in the stream; else the one that was not used for longest, whose stream is the
   *  least likely to be asked for next. */
  const ready = (stream: string | undefined): Connection | undefined => {
    const at = stream === undefined ? -1 : free.findIndex(one => one.stream === stream)
    return at < 0 ? free.shift() : free.splice(at, 1)[0]
  }
  return {
    async take(stream: string | undefined): Promise<Connection> {
      const found = ready(stream)
      if (found) return found
      const { promise, resolve, reject } = Promise.withResolvers<Connection>()
      waiting.push(resolve)
      const giveUp = () => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(new Busy(`no connection to ${options.name} was free`))
      }
      const timer = setTimeout(giveUp, (options.waitSeconds ?? 5) * 1000)
      return promise.finally(() => clearTimeout(timer))
    },
    give(connection: Connection): void {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    },
  }
}

function connect(options: LaneOptions): Connection {
  const lost = () => {
    connection.losses++
    connection.stream = undefined
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
  const connection: Connection = { driver, losses: 0, stream: undefined }
  return connection
}

export function openLanes(options: LaneOptions): Lanes {
  let trips = 0
  const connections = new Set<Connection>()
  const connected = (): Connection => {
    const connection = connect(options)
    connections.add(connection)
    return connection
  }
  const queue = queueOf(Array.from({ length: options.size }, connected), options)
  const laneOf = (connection: Connection): Lane => {
    const { losses } = connection
    return {
      get stream() {
        return connection.stream
      },
      set stream(opened) {
        connection.stream = opened
      },
      run<R extends Row>(statement: Statement): Promise<R[]> {
        if (connection.losses !== losses) {
          return Promise.reject(new Lost(`a connection to ${options.name} was lost`))
        }
        trips++
        const { text, values } = statement.prepared
        // Begun now, and not when it is waited for: between the two it might be lost.
        const query = connection.driver.unsafe(text, values).execute()
        return query as unknown as Promise<R[]>
      },
    }
  }

  return {
    trips: () => trips,
    async use(work, stream) {
      let connection = await queue.take(stream)
      try {
        return await work(laneOf(connection))
      } catch (failure) {
        // A connection that failed mid-call is replaced, never handed to the next caller.
        if (isLost(failure)) {
          const lost = connection
          connections.delete(lost)
          connection = connected()
          void lost.driver.close({ timeout: 0 }).catch(() => undefined)
        }
        throw failure
      } finally {
        queue.give(connection)
      }
    },
    async close() {
      await Promise.all([...connections].map(({ driver }) => driver.close({ timeout: 5 })))
    },
  }
}
