// What waits for a member of staff: counts and no patient.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Work = {
  /** At most 100. For a clinician, in the states of their licenses. */
  readonly cases: number
  /** Not shipped yet, at most 100. */
  readonly orders: number
  /** Requests of integrations that wait for a decision. */
  readonly grants: number
  /** The person's visits whose patient is in the video room without them. */
  readonly waiting: readonly { readonly id: string; readonly starts_at: string }[]
  /** Texts that change when a list does. */
  readonly marks: Readonly<Record<'cases' | 'orders' | 'visits' | 'grants', string>>
}

type WorkRow = Row & {
  open_cases: number
  open_orders: number
  grants: number
  waiting: Work['waiting']
  cases_mark: string
  orders_mark: string
  visits_mark: string
  grants_mark: string
}

type Whose = {
  readonly organization: string
  readonly person: string
  /** Null: cases of every state count. */
  readonly states: readonly string[] | null
}

export async function readWork(
  pool: ConnectionPool,
  { organization, person, states }: Whose,
): Promise<Work> {
  const [found] = await pool.use(connection =>
    connection.run<WorkRow>(
      sql`select * from auth.clinic_work(${organization}, ${person}, ${states}::text[])`,
    ),
  )
  if (found === undefined) throw new Error('the work of a clinic is one row')
  return {
    cases: found.open_cases,
    orders: found.open_orders,
    grants: found.grants,
    waiting: found.waiting,
    marks: {
      cases: found.cases_mark,
      orders: found.orders_mark,
      visits: found.visits_mark,
      grants: found.grants_mark,
    },
  }
}
