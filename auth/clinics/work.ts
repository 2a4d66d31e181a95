// The work waiting for a staff member, without patient data.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Work = {
  /** At most 100. Clinicians count cases only in states where they are licensed. */
  readonly cases: number
  /** Cases with a message that the clinic hasn't answered. */
  readonly messages: number
  /** Orders not shipped yet, at most 100. */
  readonly orders: number
  /** Prescriptions that weren't sent to the clinic's pharmacy and wait for a person. */
  readonly stopped: number
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
  unanswered: number
  open_orders: number
  stopped: number
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
      sql`select w.*, auth.stopped_prescriptions(${organization}) as stopped,
                 auth.unanswered_threads(${organization}) as unanswered
            from auth.clinic_work(${organization}, ${person}, ${states}::text[], ${list}) w`,
    ),
  )
  if (found === undefined) throw new Error('a clinic must have one work row')
  return {
    cases: found.open_cases,
    messages: found.unanswered,
    orders: found.open_orders,
    stopped: found.stopped,
    grants: found.grants,
    waiting: found.waiting,
    mark: found.mark,
  }
}
