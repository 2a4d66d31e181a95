// Finds work on the database that its caller does not wait for: its failure would be an unhandled
// rejection, and its connection would be given to another call meanwhile.

import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'

export type Watch = {
  /** Statements that were sent, or left, before the one before them was answered. */
  readonly early: string[]
  /** How many connections are in use. */
  used(): number
  /** The same pool, of which all statements are watched. */
  of(pool: ConnectionPool): ConnectionPool
}

export function watchStatements(): Watch {
  const early: string[] = []
  let used = 0

  /** The connection, and whether a statement of it is not answered yet. */
  function watched(connection: Connection) {
    let last: string | null = null
    const one: Connection = {
      get tenant() {
        return connection.tenant
      },
      set tenant(tenant) {
        connection.tenant = tenant
      },
      async run<R extends Row>(statement: Statement): Promise<R[]> {
        if (last !== null) early.push(last)
        last = statement.text
        try {
          return await connection.run<R>(statement)
        } finally {
          last = null
        }
      },
    }
    return { one, unanswered: () => last }
  }

  return {
    early,
    used: () => used,
    of: pool => ({
      ...pool,
      async use(work, tenant) {
        used++
        try {
          return await pool.use(async connection => {
            const { one, unanswered } = watched(connection)
            try {
              return await work(one)
            } finally {
              const left = unanswered()
              if (left !== null) early.push(left)
            }
          }, tenant)
        } finally {
          used--
        }
      },
    }),
  }
}
