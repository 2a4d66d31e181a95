// Finds statements that read most of a large table. Uses PostgreSQL's own plans for each statement
// that ran (auto_explain), so statements inside functions count too.
import { existsSync, statSync } from 'node:fs'
import { SQL } from 'bun'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}
type Logged = { 'Query Text': string; Plan: PlanNode }

/** The smallest share of a table that counts as most of it. */
const shareMax = 0.2

const settings = {
  // The test database's default logs less.
  log_min_messages: 'log',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
} as const

export type WholeReads = {
  /** Describes the reads of `work`'s statements, one per line. The work's sessions must be new. */
  during(work: () => Promise<unknown>): Promise<string[]>
  close(): Promise<void>
}

/**
 * `url` is the owner's. A table is large if it has at least `rowsMin` rows. New sessions on the
 * database log their plans until the watch is closed.
 */
export async function watchWholeReads(url: string, rowsMin: number): Promise<WholeReads> {
  const owner = new SQL(url, { max: 1 })
  const [{ folder, database }] = await owner.unsafe(
    `select current_setting('data_directory') as folder, current_database() as database`,
  )
  const log = `${folder}.log`
  if (!existsSync(log)) throw new Error(`PostgreSQL’s log isn’t at ${log}.`)
  const sizes = await sizesOf(owner, rowsMin)
  const alter = (change: string) => owner.unsafe(`alter database "${database}" ${change}`)
  await alter(`set session_preload_libraries = 'auto_explain'`)
  for (const [name, value] of Object.entries(settings)) await alter(`set ${name} = '${value}'`)
  return {
    async during(work) {
      const from = statSync(log).size
      await work()
      const plans = plansIn(await Bun.file(log).slice(from).text())
      return [...new Set(plans.flatMap(plan => faultsOf(plan, sizes)))]
    },
    async close() {
      await alter('reset all')
      await owner.close()
    },
  }
}

/** Row counts by table. Both modes' tables have the same names, and the larger one counts. */
async function sizesOf(owner: SQL, rowsMin: number): Promise<ReadonlyMap<string, number>> {
  const rows: { name: string; rows: number }[] = await owner.unsafe(
    `select relname as name, max(reltuples)::float8 as rows from pg_class
      where relkind = 'r' group by relname having max(reltuples) >= ${rowsMin}`,
  )
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}

/** A plan follows its first line, with each line indented by a tab. */
function plansIn(log: string): Logged[] {
  const entries = log.matchAll(/ms {2}plan:\n((?:\t.*\n)+)/g)
  return Array.from(entries, ([, plan = '']) => JSON.parse(plan) as Logged)
}

function faultsOf({ Plan, 'Query Text': text }: Logged, sizes: ReadonlyMap<string, number>) {
  return flat(Plan).flatMap(node => {
    const size = sizes.get(node['Relation Name'] ?? '')
    if (size === undefined) return []
    const each =
      (node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)
    const read = each * (node['Actual Loops'] ?? 0)
    const isWhole = node['Node Type'] === 'Seq Scan' && read > 0
    if (!isWhole && read <= size * shareMax) return []
    const statement = text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)
    return [
      `${node['Node Type']} of ${node['Relation Name']} reads ${read} of ${size} rows: ${statement}`,
    ]
  })
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)]
