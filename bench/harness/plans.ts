// Reads a page's query plan.
import type { Value } from '#database/sql.ts'
import { Statement } from '#database/sql.ts'
import type { BenchEnvironment, Tenant } from './environment.ts'
import { type List, listStatement, setTenant, poolOf } from './statement.ts'

type PlanNode = {
  'Node Type': string
  'Subplan Name'?: string
  'Index Name'?: string
  'Relation Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

/** A value as an SQL literal, for a statement without parameters. */
function literal(value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `'\\x${value.toHex()}'`
  if (typeof value === 'object') throw new Error('A page has no array parameters.')
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

const plain = (text: string) => new Statement([text], [])

/**
 * The generic plan, which the gateway's connections use. `faults` counts sequential scans and sorts
 * below the page's own rows. `blocks` is the number of blocks read, which doesn't depend on the
 * machine's load.
 */
export async function planOf(
  environment: BenchEnvironment,
  tenant: Tenant,
  list: List,
  query: URLSearchParams,
): Promise<{ text: string; faults: number; blocks: number }> {
  const statement = await listStatement(tenant, list, query)
  const pool = poolOf(environment, 1)
  try {
    const whole = await pool.use(async connection => {
      await connection.run(setTenant(tenant))
      await connection.run(plain(`prepare page as ${statement.text}`))
      const values = statement.values.map(literal).join(', ')
      const [row] = await connection.run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        plain(
          `explain (analyze, buffers, format json, costs off, timing off) execute page (${values})`,
        ),
      )
      return row?.['QUERY PLAN'][0].Plan
    })
    const page = whole && find(whole, node => node['Subplan Name'] === 'CTE found')
    if (!page) throw new Error('A page must have a plan node for its CTE, found.')
    const nodes = flat(page)
    const faults = nodes.filter(node => /Sort|Seq Scan/.test(node['Node Type'])).length
    const blocks = (page['Shared Hit Blocks'] ?? 0) + (page['Shared Read Blocks'] ?? 0)
    return { blocks, text: nodes.map(nameOf).join(' ← '), faults }
  } finally {
    await pool.close()
  }
}

function find(node: PlanNode, matches: (node: PlanNode) => boolean): PlanNode | undefined {
  return matches(node) ? node : node.Plans?.map(each => find(each, matches)).find(Boolean)
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)]

const nameOf = (node: PlanNode) =>
  node['Index Name'] ? `${node['Node Type']} (${node['Index Name']})` : node['Node Type']
