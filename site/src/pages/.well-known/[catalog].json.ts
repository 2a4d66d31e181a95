import { skills } from '../../catalog.ts'
import { everyPage } from '../../machine/every-page.ts'
import { newest } from '../../catalog.ts'
import { aiCatalog } from '../../machine/machine.ts'

/**
 * The former path and today's: some scanners still request the former.
 */
export const getStaticPaths = () => ['ai-catalog', 'ard'].map(catalog => ({ params: { catalog } }))

export function GET() {
  const updated = newest(everyPage().map(page => page.updated))
  return new Response(`${JSON.stringify(aiCatalog(skills(), updated), null, 2)}\n`)
}
