// An operator's emergency access to one clinic's rows (migrations/0020_operators.sql). Each change
// is a database function, run as its owner, that decides and writes the audit row.

import { SQL } from 'bun'
import { randomBytes } from '#database/clock.ts'
import type { Connection, Row } from '#database/pool.ts'
import { verifierOf } from '#database/roles.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type Act, actOf, refusalOf } from '../act.ts'

export type RefusedOperatorChange =
  /** The person isn't an operator, or their account is disabled. */
  | 'operator_required'
  | 'unknown_organization'
  /** No access with this ID is open, or another person requested it. */
  | 'not_found'
  /** Nobody can approve their own request. */
  | 'own_request'
  | 'not_approved'
  | 'ended'

const decide = (connection: Connection, statement: Statement) =>
  refusalOf<RefusedOperatorChange>(connection, statement)

export const changeOperator = (
  connection: Connection,
  { person, isAdded }: { person: string; isAdded: boolean },
  act: Act,
) => decide(connection, sql`auth.change_operator(${person}, ${isAdded}, ${actOf(act)})`)

export async function askOperatorAccess(
  connection: Connection,
  { organization, reason }: { organization: string; reason: string },
  act: Act,
) {
  const id = newId('operator_access')
  const statement = sql`auth.ask_operator_access(${id}, ${organization}, ${reason},
    ${actOf({ ...act, organization })})`
  return { id, refusal: await decide(connection, statement) }
}

export const approveOperatorAccess = (connection: Connection, id: string, act: Act) =>
  decide(connection, sql`auth.approve_operator_access(${id}, ${actOf(act)})`)

export const endOperatorAccess = (connection: Connection, id: string, act: Act) =>
  decide(connection, sql`auth.end_operator_access(${id}, ${actOf(act)})`)

const passwordBytes = 32

/** A connection under the access's own role, with a password that only this process has. */
export type OpenedAccess = {
  /** Runs a query once its text is in the audit log, and returns each row as JSON. */
  read(statement: string): Promise<RefusedOperatorChange | { readonly rows: string[] }>
  close(): Promise<void>
}

type Opening = { readonly id: string; readonly ownerUrl: string; readonly act: Act }

export async function openOperatorAccess(
  owner: Connection,
  { id, ownerUrl, act }: Opening,
): Promise<RefusedOperatorChange | OpenedAccess> {
  const password = randomBytes(passwordBytes).toHex()
  const opened = sql`auth.open_operator_role(${id}, ${verifierOf(password)}, ${actOf(act)})`
  const refusal = await decide(owner, opened)
  if (refusal !== null) return refusal
  const [access] = await owner.run<Row & { role: string }>(
    sql`select role::text as role from auth.operator_accesses where id = ${id}`,
  )
  const url = new URL(ownerUrl)
  ;[url.username, url.password] = [access?.role ?? '', password]
  const settings = { application_name: 'operator', search_path: 'live,public' }
  const role = new SQL({ url: url.href, max: 1, connectionTimeout: 10, connection: settings })
  return {
    async read(statement) {
      const recorded = sql`auth.record_operator_statement(${newId('statement')}, ${id}, ${statement},
        ${actOf(act)})`
      const refusal = await decide(owner, recorded)
      if (refusal !== null) return refusal
      const rows: { row: string }[] = await role.begin(
        'isolation level repeatable read read only',
        tx => tx`select r::text as row from live.read_rows(${statement}) r`,
      )
      return { rows: rows.map(({ row }) => row) }
    },
    async close() {
      await role.close()
      await decide(owner, sql`auth.open_operator_role(${id}, null, ${actOf(act)})`)
    },
  }
}

export type OperatorAccessRow = Row & {
  id: string
  clinic: string
  organization: string
  reason: string
  asked_by: string
  asked_at: string
  approved_by: string | null
  approved_at: string | null
  ends_at: string | null
  ended_at: string | null
  /** Whether rows can currently be read under this access. */
  is_open: boolean
}

const listMax = 100

/** Lists accesses, newest first; for one clinic, only approved accesses. */
export const listOperatorAccesses = (
  connection: Connection,
  organization: string | null,
): Promise<OperatorAccessRow[]> =>
  connection.run<OperatorAccessRow>(sql`
    select a.id, o.name as clinic, a.organization, a.reason, p.name as asked_by,
           iso(a.asked_at) as asked_at, q.name as approved_by, iso(a.approved_at) as approved_at,
           iso(a.ends_at) as ends_at, iso(a.ended_at) as ended_at,
           a.ended_at is null and coalesce(a.ends_at > clock_timestamp(), false) as is_open
      from auth.operator_accesses a
      join auth.organizations o on o.id = a.organization
      join auth.persons p on p.id = a.asked_by
      left join auth.persons q on q.id = a.approved_by
     where ${organization}::text is null
        or (a.organization = ${organization} and a.approved_at is not null)
     order by a.asked_at desc, a.id desc limit ${listMax}`)

type StatementRow = Row & { at: string; statement: string; is_audited: boolean }

/** The statements that an operator ran during an access, and whether the audit log has each
 *  statement's digest. Null if there's no such access. */
export async function listStatements(
  connection: Connection,
  access: string,
): Promise<StatementRow[] | null> {
  const [known] = await connection.run(sql`select from auth.operator_accesses where id = ${access}`)
  if (known === undefined) return null
  return connection.run<StatementRow>(sql`
    select iso(s.at) as at, s.statement,
           exists (select from audit.entries e
                    where e.mode = 'live' and e.surface <> 'console' and e.target = s.id
                      and e.action = 'readRowsOfClinic'
                      and e.shape = encode(sha256(convert_to(s.statement, 'utf8')), 'hex'))
             as is_audited
      from audit.statements s where s.access = ${access} order by s.at, s.id`)
}
