import { comparisons } from '../../catalog.ts'
import { cataloguedComparison } from '../../machine/published.ts'

/** The comparisons that the gateway's list and tools read on start. */
export function GET() {
  const all = comparisons().map(cataloguedComparison)
  return new Response(`${JSON.stringify(all)}\n`)
}
