// A prompt for the platform's database. The command can also run a single statement given as an
// argument.
import { createInterface } from 'node:readline'
import { SQL } from 'bun'
import { isConnectionLost, sqlState } from './failures.ts'

export const promptHelp = `Usage:
  npm run admin -- sql
  npm run admin -- sql "select …"

Opens a SQL prompt, or runs one statement and prints its rows, or how many it changed. Statements
can also come from standard input, each ending with a semicolon. The exit code is 1 if a statement
fails or the connection is lost; a prompt in a terminal reports failures and exits with 0.`

const usage = `A statement ends with a semicolon. \\dt lists the tables, \\d <table> describes one, and
\\q quits. Each mode's tables are test.<table> and live.<table>.`

const columnWidthMax = 60

const tables = `
  select n.nspname as schema, c.relname as table, c.reltuples::bigint as rows_about,
         pg_size_pretty(pg_total_relation_size(c.oid)) as size
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and n.nspname !~ '^pg_|^information_schema$'
   order by 1, 2`

const columns = (table: string) => `
  select a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
         case when a.attnotnull then 'not null' else '' end as null,
         coalesce(pg_get_expr(d.adbin, d.adrelid), '') as default
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid = '${table.replaceAll("'", "''")}'::regclass and a.attnum > 0
     and not a.attisdropped
   order by a.attnum`

/** A command's SQL statement. Other input is returned unchanged. */
function statementOf(input: string): string {
  const [command, table] = input.trim().replace(/;$/, '').split(/\s+/)
  if (command === '\\dt' || (command === '\\d' && table === undefined)) return tables
  if (command === '\\d' && table !== undefined) return columns(table)
  return input
}

type Row = Record<string, unknown>
type Result = Row[] & { readonly command?: string; readonly count?: number }

type Session = Pick<SQL, 'unsafe'>
type StatementOutput = { text: string; fault: boolean; lost: boolean }

async function answer(sql: Session, input: string): Promise<string> {
  const result: Result | Result[] = await sql.unsafe(statementOf(input))
  const sets = Array.isArray(result[0]) ? (result as Result[]) : [result as Result]
  return sets.map(asTable).join('\n')
}

function asTable(rows: Result): string {
  const [first] = rows
  if (first === undefined) return withoutRows(rows)
  const names = Object.keys(first)
  const cells = rows.map(row => names.map(name => asText(row[name])))
  const widths = names.map((name, at) =>
    Math.max(name.length, ...cells.map(row => row[at]?.length ?? 0)),
  )
  const line = (row: string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' │ ')
      .trimEnd()
  const rule = widths.map(width => '─'.repeat(width)).join('─┼─')
  const count = `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`
  return [line(names), rule, ...cells.map(line), count].join('\n')
}

/** Such as `UPDATE 3`, which psql prints too. */
function withoutRows({ command = 'SELECT', count = 0 }: Result): string {
  if (command === 'SELECT' && count === 0) return '(no rows)'
  return /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|COPY)$/.test(command)
    ? `${command} ${count}`
    : command
}

function asText(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : value instanceof Date
        ? value.toISOString()
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > columnWidthMax ? `${flat.slice(0, columnWidthMax - 1)}…` : flat
}

/** Returns an error as a result, so the prompt continues. */
async function answerOrFault(sql: Session, input: string): Promise<StatementOutput> {
  try {
    return { text: await answer(sql, input), fault: false, lost: false }
  } catch (error) {
    const state = sqlState(error) === null ? '' : ` (${sqlState(error)})`
    const message = error instanceof Error ? error.message : String(error)
    const hint = await schemaHint(sql, message)
    return { text: `${message}${state}${hint}`, fault: true, lost: isConnectionLost(error) }
  }
}

/** The schema of a table that the statement named without a schema. */
async function schemaHint(sql: Session, message: string): Promise<string> {
  const table = /^relation "([\w.]+)" does not exist/.exec(message)?.[1]
  if (table === undefined) return ''
  const name = table.slice(table.indexOf('.') + 1)
  // Nothing can be looked up in a failed transaction.
  const found: { place: string }[] = await sql
    .unsafe(`select schema || '.' || "table" as place from (${tables}) t where "table" = '${name}'`)
    .catch(() => [])
  const places = found.map(({ place }) => place).join(' or ')
  return places === '' ? '\n\\dt lists the tables.' : `\nWrite ${places}.`
}

type Ending = 'done' | 'failed' | 'lost'

/** Runs everything in one session. If the session is lost, nothing else runs: statements after a
 *  rolled-back `start` must not be committed on their own. Someone at a terminal sees each failure,
 *  but a script needs the exit code. */
async function converse(sql: SQL): Promise<Ending> {
  const session = await sql.reserve()
  const terminal = process.stdin.isTTY === true
  const input = createInterface({ input: process.stdin, output: process.stdout, terminal })
  if (terminal) console.log(usage)
  let typed = ''
  let ending: Ending = 'done'
  const ask = () => {
    if (!terminal) return
    input.setPrompt(typed === '' ? 'app> ' : '   ... ')
    input.prompt()
  }
  const runTyped = async () => {
    const { text, fault, lost } = await answerOrFault(session, typed.trim())
    typed = ''
    console[fault && !terminal ? 'error' : 'log'](text)
    if (fault && !terminal) ending = 'failed'
    return !lost
  }
  ask()
  for await (const line of input) {
    typed += `${line}\n`
    const text = typed.trim()
    if (text === '\\q' || text === 'exit') {
      typed = ''
      break
    }
    const isWhole = text.startsWith('\\') || text.endsWith(';')
    if (isWhole && !(await runTyped())) return 'lost'
    if (text === '') typed = ''
    ask()
  }
  // A script that was cut off must not run half a statement, such as a delete without its where.
  if (!terminal && typed.trim() !== '') {
    console.error(`This didn't run, because it doesn't end with a semicolon: ${typed.trim()}`)
    ending = 'failed'
  }
  input.close()
  await session.release()
  return ending
}

/** Runs the prompt or one statement; returns the exit code. */
export async function runPrompt(url: string, statement: string): Promise<number> {
  await using sql = new SQL(url, { max: 1, connectionTimeout: 5 })
  const reached = await answerOrFault(sql, 'select 1')
  if (reached.fault) {
    console.error(`The database does not respond: ${reached.text}`)
    return 1
  }
  if (statement !== '') {
    const { fault, text } = await answerOrFault(sql, statement)
    console[fault ? 'error' : 'log'](text)
    return fault ? 1 : 0
  }
  const ending = await converse(sql)
  if (ending === 'lost')
    console.error(
      'The connection was lost, and its transaction was rolled back. Start the prompt again.',
    )
  return ending === 'done' ? 0 : 1
}
