// How the database answers a page, in its own words.
import type { Value } from '#database/sql.ts'
import { Statement } from '#database/sql.ts'
import type { AppContext, Tenant } from './environment.ts'
import { type List, listing, setTenant, poolOf } from './statement.ts'

type Node = {
  'Node Type': string
  'Subplan Name'?: string
  'Index Name'?: string
  'Relation Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}

/** Literals of this program, for a statement that takes no parameters. */
function literal(value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `'\\x${value.toHex()}'`
  if (typeof value === 'object') throw new Error('A page asks for no arrays.')
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

const plain = (text: string) => new Statement([text], [])

/**
 * The generic plan, which is the one that the gateway's connections use. `faults` counts sorts
 * below the page's own few rows, and tables that are read from end to end. `blocks` are those that
 * it touched, which a busy machine does not change.
 */
export async function planOf(
  environment: AppContext,
  tenant: Tenant,
  list: List,
  query: URLSearchParams,
): Promise<{ text: string; faults: number; blocks: number }> {
  const statement = await listing(tenant, list, query)
  const pool = poolOf(environment, 1)
  try {
    const whole = await pool.use(async connection => {
      await connection.run(setTenant(tenant))
      await connection.run(plain(`prepare page as ${statement.text}`))
      const values = statement.values.map(literal).join(', ')
      const [row] = await connection.run<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        plain(
          `explain (analyze, buffers, format json, costs off, timing off) execute page (${values})`,
        ),
      )
      return row?.['QUERY PLAN'][0].Plan
    })
    const page = whole && find(whole, node => node['Subplan Name'] === 'CTE found')
    if (!page) throw new Error('The plan of a page holds its rows under the name found.')
    const nodes = flat(page)
    const faults = nodes.filter(node => /Sort|Seq Scan/.test(node['Node Type'])).length
    const blocks = (page['Shared Hit Blocks'] ?? 0) + (page['Shared Read Blocks'] ?? 0)
    return { blocks, text: nodes.map(nameOf).join(' ← '), faults }
  } finally {
    await pool.close()
  }
}

function find(node: Node, wanted: (node: Node) => boolean): Node | undefined {
  return wanted(node) ? node : node.Plans?.map(each => find(each, wanted)).find(Boolean)
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]

const nameOf = (node: Node) =>
  node['Index Name'] ? `${node['Node Type']} (${node['Index Name']})` : node['Node Type']
