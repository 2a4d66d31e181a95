// The command `npm run admin -- emergency` shows an operator a clinic's rows in live mode after
// another operator approves.
import { parseArgs } from 'node:util'
import { isEmailAddress } from '../accounts/email-address.ts'
import { emergencyReason } from '../clinics/emergency.ts'
import type { PersonStore } from '../accounts/person-store.ts'
import { sqlState } from '#database/failures.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { actOfOperator, CommandFault, unknownCommand } from '../operator.ts'
import {
  approveOperatorAccess,
  askOperatorAccess,
  changeOperator,
  endOperatorAccess,
  listOperatorAccesses,
  listStatements,
  openOperatorAccess,
  type RefusedOperatorChange,
} from './operator-access.ts'
import type { Act } from '../act.ts'

export const emergencyHelp = `Usage:
  npm run admin -- emergency operators
  npm run admin -- emergency operator ada@example.com [--remove] [--as … --code 123456]
  npm run admin -- emergency ask org_… --reason "…" --as ada@example.com --code 123456
  npm run admin -- emergency approve opa_… --as ben@example.com --code 123456
  npm run admin -- emergency read opa_… --as ada@example.com --code 123456 ["select …"]…
  npm run admin -- emergency end opa_…
  npm run admin -- emergency list
  npm run admin -- emergency show opa_…

Reads a clinic's live rows for an hour. One operator gives a reason, another approves, and we email
the clinic's administrators.
--as is the email of an account at AUTH_URL, and --code its authenticator app's current code.
operator adds people who can ask and approve. The first two need no --as; an operator adds the rest.
read runs queries as a role that sees only that clinic's rows and can't change anything. Each
statement is in the audit log before it runs. Without a statement, it reads standard input, where
each ends in a semicolon, and continues if one fails. It prints rows as JSON lines, up to 1,000.
end closes access early. show lists the statements that ran.`

export type EmergencyContext = {
  readonly connection: Connection
  readonly people: Pick<PersonStore, 'useCode'>
  readonly ownerUrl: string
  /** The statements for `read` if the command line has none. */
  input(): AsyncIterable<string>
  print(line: string): void
  /** Reports an input statement that the database refused. */
  complain(line: string): void
}

const options = {
  as: { type: 'string' },
  code: { type: 'string' },
  reason: { type: 'string' },
  remove: { type: 'boolean' },
} as const

type Flags = { as?: string; code?: string; reason?: string; remove?: boolean }
type Command = (context: EmergencyContext, id: string, flags: Flags) => Promise<void>

export async function emergencyCommand(args: string[], context: EmergencyContext): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [name = '', id, ...statements] = positionals
  if (id === undefined && name === 'operators') return listOperators(context)
  if (id === undefined && name === 'list') return list(context)
  if (id !== undefined && name === 'read') return read(context, { id, statements }, values)
  const command = commands[name]
  if (command !== undefined && id !== undefined && statements.length === 0) {
    return command(context, id, values)
  }
  throw unknownCommand(positionals)
}

const commands: Readonly<Record<string, Command | undefined>> = {
  async operator(context, email, flags) {
    const person = await personOf(context, email)
    const act = flags.as === undefined ? actOfOperator() : await actOf(context, flags)
    const isAdded = flags.remove !== true
    const refusal = await changeOperator(context.connection, { person, isAdded }, act)
    if (refusal === 'not_found')
      throw new CommandFault(`${email} isn't an operator. ${seeOperators}`)
    if (refusal === 'operator_required' && flags.as === undefined) {
      throw new CommandFault(
        `Only an operator can do this. Say who you are with --as and --code. ${seeOperators}`,
      )
    }
    refuse(refusal)
    context.print(isAdded ? `${email} is now an operator.` : `${email} is no longer an operator.`)
  },
  async ask(context, organization, flags) {
    const reason = flags.reason?.trim() ?? ''
    if (reason.length < emergencyReason.min || reason.length > emergencyReason.max) {
      const { min, max } = emergencyReason
      throw new CommandFault(`--reason must have ${min} to ${max} characters.`)
    }
    const act = await actOf(context, flags)
    const asked = await askOperatorAccess(context.connection, { organization, reason }, act)
    refuse(asked.refusal)
    context.print(`${asked.id} needs another operator's approval within a day:`)
    context.print(`  npm run admin -- emergency approve ${asked.id} --as … --code …`)
  },
  async approve(context, id, flags) {
    const act = await actOf(context, flags)
    refuse(await approveOperatorAccess(context.connection, id, act))
    context.print(`Approved ${id} for an hour. We email the clinic's administrators.`)
  },
  async end(context, id) {
    refuse(await endOperatorAccess(context.connection, id, actOfOperator()))
    context.print(`Ended ${id} and removed its role.`)
  },
  async show(context, id) {
    const statements = await listStatements(context.connection, id)
    if (statements === null)
      throw new CommandFault('No access has this ID. See: npm run admin -- emergency list')
    if (statements.length === 0) context.print('No statements yet.')
    for (const one of statements) {
      const changed = one.is_audited ? '' : '  CHANGED: the audit log has a different digest'
      context.print(`${one.at}  ${one.statement.replaceAll(/\s+/g, ' ')}${changed}`)
    }
  },
}

type StatementRun = { readonly id: string; readonly statements: readonly string[] }

async function read(context: EmergencyContext, { id, statements }: StatementRun, flags: Flags) {
  const { connection, ownerUrl, print } = context
  const act = await actOf(context, flags)
  const access = await openOperatorAccess(connection, { id, ownerUrl, act })
  if (typeof access === 'string') throw new CommandFault(refusals[access])
  try {
    for await (const statement of statements.length > 0 ? statements : context.input()) {
      const result = await access.read(statement.trim().replace(/;$/, '')).catch(refusedBy)
      if (result instanceof Error && statements.length > 0) {
        // The refused statement isn't a failure of the database.
        throw new CommandFault(result.message, { cause: result })
      }
      if (result instanceof Error) {
        // The session stays open, because opening another session would need another code.
        context.complain(result.message)
        continue
      }
      if (typeof result === 'string') throw new CommandFault(refusals[result])
      for (const row of result.rows) print(row)
    }
  } finally {
    await access.close()
  }
}

/** Turns a database failure into the command's refusal. */
function refusedBy(failure: unknown): Error {
  if (failure instanceof Error && sqlState(failure) !== null) return failure
  throw failure
}

/** Splits an input into statements; a semicolon at the end of a line ends each statement. */
export async function* statementsOf(lines: AsyncIterable<string>): AsyncIterable<string> {
  let typed = ''
  for await (const line of lines) {
    typed += `${line}\n`
    if (!line.trimEnd().endsWith(';')) continue
    yield typed
    typed = ''
  }
  if (typed.trim() !== '') yield typed
}

async function personOf({ connection }: EmergencyContext, email: string): Promise<string> {
  if (!isEmailAddress(email)) throw new CommandFault("Give an account's email address.")
  const [person] = await connection.run<Row & { id: string }>(
    sql`select id from auth.persons where public.normalized_email(email) = public.normalized_email(${email}) and disabled_at is null`,
  )
  if (person === undefined) {
    throw new CommandFault(`No account has the email ${email}. Accounts are created at AUTH_URL.`)
  }
  return person.id
}

/** Requesting and approving each need a code, so nobody can be both people by typing a name. */
async function actOf(context: EmergencyContext, { as, code }: Flags): Promise<Act> {
  if (as === undefined || code === undefined) {
    throw new CommandFault(
      "Say who you are: --as with your email address, and --code with your app's code.",
    )
  }
  const person = await personOf(context, as)
  if (!(await context.people.useCode(person, code))) {
    throw new CommandFault(
      'Wrong or already used code, or the account has no authenticator app. Wait for the next code, or add an app at AUTH_URL.',
    )
  }
  return { ...actOfOperator(), person }
}

const seeOperators = 'See: npm run admin -- emergency operators'

const refusals: Readonly<Record<RefusedOperatorChange, string>> = {
  operator_required: `Only an operator can do this. ${seeOperators}`,
  unknown_organization: 'No clinic has this ID. See: npm run admin -- grants clinics',
  not_found: 'No open access has this ID. See: npm run admin -- emergency list',
  own_request: "You can't approve your own request. Another operator must.",
  not_approved: 'No other operator has approved it yet.',
  ended: 'This access has ended. Ask for a new one.',
}

function refuse(refusal: RefusedOperatorChange | null): void {
  if (refusal !== null) throw new CommandFault(refusals[refusal])
}

async function listOperators({ connection, print }: EmergencyContext) {
  const rows = await connection.run<Row & { email: string; since: string }>(sql`
    select p.email, iso(o.added_at) as since
      from auth.operators o join auth.persons p on p.id = o.person
     where o.removed_at is null order by o.added_at, o.person`)
  if (rows.length === 0)
    print('No operators yet. Add one with `npm run admin -- emergency operator <email>`.')
  for (const { email, since } of rows) print(`${email}  since ${since.slice(0, 10)}`)
}

async function list({ connection, print }: EmergencyContext) {
  const accesses = await listOperatorAccesses(connection, null)
  if (accesses.length === 0) print('Nobody has requested access yet.')
  for (const one of accesses) {
    const state = one.is_open
      ? `open until ${one.ends_at}`
      : one.approved_at === null && one.ended_at === null
        ? 'not approved'
        : 'over'
    print(`${one.id}  ${state}  ${one.organization} ${one.clinic}`)
    print(`  requested ${one.asked_at} by ${one.asked_by}: ${one.reason.replaceAll('\n', ' ')}`)
    if (one.approved_at !== null) print(`  approved ${one.approved_at} by ${one.approved_by}`)
  }
}
