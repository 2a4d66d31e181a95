import { comparisons } from '../../catalog.ts'
import { cataloguedComparison } from '../../machine/published.ts'

/** What the gateway's list of comparisons and its tools read on start. */
export function GET() {
  const all = comparisons().map(cataloguedComparison)
  return new Response(`${JSON.stringify(all)}\n`)
}
