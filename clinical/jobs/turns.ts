// Whose turn it is in a queue that several tenants share: first who has had none, then who had
// theirs longest ago. A tenant with a long queue waits behind its own work, and behind one turn of
// others.

import { sql, type Statement } from '#database/sql.ts'

/** So many turns are remembered. */
const remembered = 1000

export type Turns = {
  /** A key of an order, by the tenant of a row as text. */
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
