// The optional email about work waiting for a staff member, at most once a day
// (migrations/0016_console.sql).
import { consolePages } from '#contract/console/table.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { defaultZone } from './settings.ts'

/** The days with a digest. `none` turns it off. */
const digestChoices = ['none', 'weekday', 'day'] as const
export type DigestChoice = (typeof digestChoices)[number]

export const isDigestChoice = (text: string): text is DigestChoice =>
  (digestChoices as readonly string[]).includes(text)

type Whose = { readonly organization: string; readonly person: string }

export async function readDigestChoice(
  pool: ConnectionPool,
  { organization, person }: Whose,
): Promise<DigestChoice> {
  const [row] = await pool.use(connection =>
    connection.run<Row & { every: DigestChoice }>(
      sql`select every from auth.digests where organization = ${organization} and person = ${person}`,
    ),
  )
  return row?.every ?? 'none'
}

/** `zone` is the person's time zone, which decides when their day starts. */
export const chooseDigest = (
  pool: ConnectionPool,
  { organization, person, choice, zone }: Whose & { choice: DigestChoice; zone: string },
): Promise<unknown> =>
  pool.use(connection =>
    connection.run(sql`
      select auth.choose_digest(${organization}, ${person},
        ${choice === 'none' ? null : choice}::text, ${zone})`),
  )

/** The roles that handle each kind of work a digest counts. */
const roles = {
  cases: consolePages.claim.roles,
  messages: consolePages.dismiss.roles,
  orders: consolePages.ship.roles,
  visits: consolePages.joinVisit.roles,
  grants: consolePages.grants.roles,
}

/** Queues the digests that are due; returns how many. */
export async function queueDigests(connection: Connection): Promise<number> {
  const [row] = await connection.run<Row & { queued: number }>(
    sql`select auth.queue_digests(${JSON.stringify(roles)}::text::json, ${defaultZone}) as queued`,
  )
  return row?.queued ?? 0
}
