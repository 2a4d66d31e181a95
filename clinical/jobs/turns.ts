// Decides whose turn it is in a queue shared by several tenants: first the tenants that haven't had
// a turn, then the tenant whose last turn was longest ago. A tenant with a long queue waits behind
// its own work, and behind one turn of each other tenant.

import { sql, type Statement } from '#database/sql.ts'

/** The number of turns to remember. */
const remembered = 1000

export type Turns = {
  /** A sort key, by a row's tenant as text. */
  by(tenant: Statement): Statement
  took(tenant: string): void
}

/** Tracks turns for one run of a job. */
export function openTurns(): Turns {
  let served: string[] = []
  return {
    by: tenant => sql`coalesce(array_position(${served}::text[], ${tenant}), 0)`,
    took(tenant) {
      served = [...served.filter(one => one !== tenant), tenant].slice(-remembered)
    },
  }
}
