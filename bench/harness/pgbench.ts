// pgbench as a peer: the same statement under the same role with the same settings. Values are sent
// as parameters, as in the gateway. Inlined values would be misread: in JSON text, pgbench
// interprets `:null` as a variable, even inside quotes.
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keyed } from '#database/pool.ts'
import type { Statement, Value } from '#database/sql.ts'
import { findProgram } from './machine.ts'
import { percentile } from './rounds.ts'
import { withFolder } from './server.ts'
import { keyPlaceholder } from './statement.ts'

export const pgbench = findProgram('pgbench')

export type Rate = { answers: number; perSecond: number; p50: number; p99: number }

type Work = {
  /** The URL for the role that runs the statement. */
  url: string
  /** One statement per tenant. The clients are divided among them. */
  statements: readonly { statement: Statement; tenant: string }[]
  clients: number
  seconds: number
  requestsMax: number
}

/** A parameter's text. pgbench has no null parameters, so null is written into the statement. */
function textOf(value: Exclude<Value, null>): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (typeof value === 'object')
    throw new Error('Benchmark statements must not have array parameters.')
  return String(value)
}

function scriptOf({ strings, values }: Statement): { script: string; variables: string[] } {
  const variables: string[] = []
  let text = strings[0] ?? ''
  values.forEach((value, at) => {
    if (value === null) text += 'null'
    else if (value === keyPlaceholder) text += ':key'
    else {
      text += `:value${at}`
      variables.push('-D', `value${at}=${textOf(value)}`)
    }
    text += strings[at + 1] ?? ''
  })
  return { script: `\\set key random(100000000000000, 999999999999999)\n${text};\n`, variables }
}

/** Runs one process per tenant, all at the same time, and adds up their rates. */
export function runPgbench(program: string, work: Work): Promise<Rate> {
  return withFolder(async folder => {
    const share = work.clients / work.statements.length
    const runs = await Promise.all(
      work.statements.map((_, at) => runOne(program, work, { folder, at, clients: share })),
    )
    const files = (await readdir(folder)).filter(name => name.startsWith('log'))
    const logs = await Promise.all(files.map(name => Bun.file(path.join(folder, name)).text()))
    // A line's third column is the transaction's duration in microseconds.
    const lines = logs.flatMap(log => log.trimEnd().split('\n'))
    const taken = Float64Array.from(lines, line => Number(line.split(' ')[2]) / 1000).sort()
    return {
      answers: runs.reduce((sum, run) => sum + run.answers, 0),
      perSecond: runs.reduce((sum, run) => sum + run.perSecond, 0),
      p50: percentile(taken, 0.5),
      p99: percentile(taken, 0.99),
    }
  })
}

type Part = { folder: string; at: number; clients: number }

async function runOne(program: string, work: Work, { folder, at, clients }: Part) {
  const { statement, tenant } = work.statements[at] ?? { statement: null, tenant: '' }
  if (!statement) throw new Error('Every part must have a statement.')
  const { script, variables } = scriptOf(statement)
  const file = path.join(folder, `script-${at}.sql`)
  await writeFile(file, script)
  const { hostname, port, username, password, pathname } = new URL(work.url)
  const isCounted = work.requestsMax < 1_000_000
  const each = Math.ceil(work.requestsMax / work.clients)
  const bound = isCounted ? ['-t', String(each)] : ['-T', String(work.seconds)]
  const where = ['-h', hostname, '-p', port, '-U', username, '-n', '-M', 'prepared']
  const threads = String(Math.min(2, clients))
  const log = path.join(folder, `log-${at}`)
  const args = where.concat(
    ['-c', String(clients), '-j', threads, ...bound, ...variables],
    ['-l', '--log-prefix', log, '-f', file, pathname.slice(1)],
  )
  const settings = [
    'search_path=test,public',
    'plan_cache_mode=force_generic_plan',
    'jit=off',
  ].concat(Object.entries(keyed).map(setting => setting.join('=')))
  const child = Bun.spawn([program, ...args], {
    env: {
      PGPASSWORD: decodeURIComponent(password),
      PGOPTIONS: [...settings, `app.tenant=${tenant}`].map(each => `-c ${each}`).join(' '),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const answers = Number(/actually processed: (\d+)/.exec(out)?.[1])
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(out)?.[1])
  if (!(perSecond > 0)) throw new Error(`pgbench could not run:\n${error}\n${out}`)
  return { answers, perSecond }
}
