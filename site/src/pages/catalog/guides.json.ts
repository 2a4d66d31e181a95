import { guides } from '../../catalog.ts'
import { cataloguedGuide } from '../../machine/published.ts'

/** The guides in the order of the sidebar, as the tool server of the clinical API lists them. */
export function GET() {
  return new Response(`${JSON.stringify(guides().map(cataloguedGuide))}\n`)
}
