// The work waiting for a staff member, without patient data.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Work = {
  /** At most 100. Clinicians count cases only in states where they are licensed. */
  readonly cases: number
  /** Orders not shipped yet, at most 100. */
  readonly orders: number
  /** Integrations' requests that wait for a decision. */
  readonly grants: number
  /** The person's visits with a patient waiting in the video room. */
  readonly waiting: readonly { readonly id: string; readonly starts_at: string }[]
  /** A value that changes whenever the list changes. Null without a list. */
  readonly mark: string | null
}

export type WorkList = 'cases' | 'orders' | 'visits' | 'grants'

type WorkRow = Row & {
  open_cases: number
  open_orders: number
  grants: number
  waiting: Work['waiting']
  mark: string | null
}

type Whose = {
  readonly organization: string
  readonly person: string
  /** Null counts cases in every state. */
  readonly states: readonly string[] | null
  /** The list on the page. */
  readonly list: WorkList | null
}

export async function readWork(
  pool: ConnectionPool,
  { organization, person, states, list }: Whose,
): Promise<Work> {
  const [found] = await pool.use(connection =>
    connection.run<WorkRow>(
      sql`select * from auth.clinic_work(${organization}, ${person}, ${states}::text[], ${list})`,
    ),
  )
  if (found === undefined) throw new Error('a clinic must have one work row')
  return {
    cases: found.open_cases,
    orders: found.open_orders,
    grants: found.grants,
    waiting: found.waiting,
    mark: found.mark,
  }
}
