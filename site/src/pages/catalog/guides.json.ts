import { guides } from '../../catalog.ts'
import { cataloguedGuide } from '../../machine/published.ts'

/** The guides in sidebar order, as the clinical API's tool server lists them. */
export function GET() {
  return new Response(`${JSON.stringify(guides().map(cataloguedGuide))}\n`)
}
